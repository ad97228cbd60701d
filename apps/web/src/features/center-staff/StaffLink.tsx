import { useQuery } from '@tanstack/react-query';
import { operatorRightQuery } from '#web/shared/data/operator-right.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { centerStaffPath } from '#web/shared/paths.ts';
import { LinkRow } from '#web/shared/ui/controls/LinkRow.tsx';

/** The way from a center's page to its referees and kiosks, for operators only. */
export function StaffLink({ user_id, id }: { user_id: string; id: string }) {
  const { t } = useTranslation('center-staff');
  const { data } = useQuery(operatorRightQuery(user_id));
  if (!data?.is_operator) return null;
  return (
    <LinkRow href={centerStaffPath(id)} icon="shield" title={t('title')} text={t('linkText')} className="bg-surface" />
  );
}
