import { useQuery } from '@tanstack/react-query';
import { useIsManager } from '#web/shared/data/managed-centers.ts';
import { operatorRightQuery } from '#web/shared/data/operator-right.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { centerManagementPath } from '#web/shared/paths.ts';
import { LinkRow } from '#web/shared/ui/controls/LinkRow.tsx';

/** The way from a center's page to its page for managers, for its managers and operators only. */
export function CenterManagementLink({ user_id, id }: { user_id: string; id: string }) {
  const { t } = useTranslation('center-management');
  const { data: right } = useQuery(operatorRightQuery(user_id));
  const is_manager = useIsManager(user_id, id);
  if (!right?.is_operator && !is_manager) return null;
  return (
    <LinkRow
      href={centerManagementPath(id)}
      icon="shield"
      title={t('title')}
      text={t('linkText')}
      className="bg-surface"
    />
  );
}
