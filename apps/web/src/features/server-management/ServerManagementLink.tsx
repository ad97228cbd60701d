import { useQuery } from '@tanstack/react-query';
import { useUser } from '#web/shared/api/use-session.ts';
import { operatorRightQuery } from '#web/shared/data/operator-right.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { LinkRow } from '#web/shared/ui/controls/LinkRow.tsx';

/** The way to the screens of operators, for operators only. */
export function ServerManagementLink() {
  const { t } = useTranslation('server-management');
  const { data } = useQuery(operatorRightQuery(useUser().id));
  if (!data?.is_operator) return null;
  return (
    <LinkRow
      href={PATHS.serverManagement}
      icon="laptop"
      title={t('title')}
      text={t('linkText')}
      className="bg-surface"
    />
  );
}
