import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { usePersonName } from '#web/shared/people/use-person-name.ts';
import { isErasedUser } from '../data/erased-user.ts';

/** As `usePersonName`, for the other user of a chat, who may have been erased. */
export function useParticipantName(): (person: { id: string; name: string }) => string {
  const { t } = useTranslation('chats');
  const personName = usePersonName();
  return ({ id, name }) => (isErasedUser(id) ? t('deletedUser') : personName(name));
}
