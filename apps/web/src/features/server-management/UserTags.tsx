import type { ListedPerson } from '@sendlap/contract/server-management/people.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Tag } from '#web/shared/ui/controls/Tag.tsx';

/** The rights of a user, and a locked account; nothing for most users. */
export function UserTags({ person: { state, is_operator, is_referee } }: { person: ListedPerson }) {
  const { t } = useTranslation('server-management');
  if (state === 'active' && !is_operator && !is_referee) return null;
  return (
    <span className="mt-1.5 flex flex-wrap gap-1.5">
      {state !== 'active' && <Tag tone="danger">{t(`person.state.${state}`)}</Tag>}
      {is_operator && <Tag tone="accent">{t('person.operator')}</Tag>}
      {is_referee && <Tag icon="shield">{t('person.referee')}</Tag>}
    </span>
  );
}
