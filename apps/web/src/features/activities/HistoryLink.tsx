import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { LinkRow } from '#web/shared/ui/LinkRow.tsx';
import { HISTORY_PATH } from './links.ts';

/** From the profile to everything I have done. */
export function HistoryLink() {
  const { t } = useTranslation('history');
  return <LinkRow href={HISTORY_PATH} icon="calendar" title={t('link')} text={t('linkText')} className="bg-surface" />;
}
