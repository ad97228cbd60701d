import type { PersonRef } from '@sendlap/contract/server-management/people.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';

/** The public id of the user who replaces erased ones. */
const DELETED_PUBLIC_ID = 'deleted-user';

export function isDeleted({ public_id }: PersonRef): boolean {
  return public_id === DELETED_PUBLIC_ID;
}

/** Returns a function that names a user as operators read them: by the name of the account. */
export function useAccountName(): (person: PersonRef) => string {
  const { t } = useTranslation('server-management');
  return (person) => (isDeleted(person) ? t('deletedUser') : person.name);
}
