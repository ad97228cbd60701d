import type { ListedPerson } from '@sendlap/contract/server-management/people.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Badge } from '#web/shared/ui/controls/Badge.tsx';

/** The rights of a user, and a locked account; nothing for most users. */
export function UserLabels({ person: { state, is_operator, is_referee } }: { person: ListedPerson }) {
  const { t } = useTranslation('server-management');
  if (state === 'active' && !is_operator && !is_referee) return null;
  return (
    <span className="mt-1.5 flex flex-wrap gap-1.5">
      {state !== 'active' && <Badge tone="danger">{t(`person.state.${state}`)}</Badge>}
      {is_operator && <Badge tone="accent">{t('person.operator')}</Badge>}
      {is_referee && <Badge icon="shield">{t('person.referee')}</Badge>}
    </span>
  );
}
