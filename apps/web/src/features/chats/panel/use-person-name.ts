import { NAMELESS } from '@sendlap/domain/names.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { isErased } from '../data/erased-person.ts';

/** The name of somebody in the user's language, where they have none of their own. */
export function usePersonName(): (person: { id: string; name: string }) => string {
  const { t } = useTranslation('chats');
  return ({ id, name }) => {
    if (isErased(id)) return t('deletedUser');
    return name === NAMELESS || name === '' ? t('nameless') : name;
  };
}
