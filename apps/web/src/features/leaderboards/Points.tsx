import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useAnimatedCount } from '#web/shared/ui/use-animated-count.ts';

/** Points that count up on screen; screen readers get the final number. */
export function Points({ points, className }: { points: number; className: string }) {
  const { t } = useTranslation('leaderboards');
  const locale = useLocale();
  const shown = useAnimatedCount(points);
  return (
    <span className={className}>
      <span aria-hidden="true">{shown.toLocaleString(locale)}</span>
      <span className="sr-only">{t('points', { count: points })}</span>
    </span>
  );
}
