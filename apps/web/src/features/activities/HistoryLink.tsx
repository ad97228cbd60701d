import { Link } from 'wouter';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Icon } from '#web/shared/ui/Icon.tsx';
import { HISTORY_PATH } from './links.ts';

/** From the profile to everything I have done. */
export function HistoryLink() {
  const { t } = useTranslation('history');
  return (
    <Link href={HISTORY_PATH} className="pressable flex min-h-18 items-center gap-3.5 rounded-lg bg-surface px-4 py-3">
      <span className="grid size-10 shrink-0 place-items-center rounded-full bg-accent-tint text-accent-ink">
        <Icon name="calendar" size={22} />
      </span>
      <span className="min-w-0 flex-1 wrap-anywhere">
        <span className="block font-semibold">{t('link')}</span>
        <span className="block text-sm text-ink-faint">{t('linkText')}</span>
      </span>
      <Icon name="chevron-right" size={20} className="shrink-0 text-ink-faint" />
    </Link>
  );
}
