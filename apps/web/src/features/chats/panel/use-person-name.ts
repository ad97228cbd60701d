import { DEFAULT_DISPLAY_NAME } from '@sendlap/domain/names.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { isErasedUser } from '../data/erased-user.ts';

/** Returns a user's name to show; for erased users and users without a name, a placeholder in the reader's language. */
export function usePersonName(): (person: { id: string; name: string }) => string {
  const { t } = useTranslation('chats');
  return ({ id, name }) => {
    if (isErasedUser(id)) return t('deletedUser');
    return name === DEFAULT_DISPLAY_NAME || name === '' ? t('nameless') : name;
  };
}
