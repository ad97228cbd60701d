import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { LinkRow } from '#web/shared/ui/controls/LinkRow.tsx';

/** The link from the profile to my whole history. */
export function HistoryLink() {
  const { t } = useTranslation('history');
  return <LinkRow href={PATHS.history} icon="calendar" title={t('link')} text={t('linkText')} className="bg-surface" />;
}
