import { MIN_SCORED_MINUTES } from '@sendlap/domain/scoring.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Icon } from '#web/shared/ui/Icon.tsx';
import { Sheet } from '#web/shared/ui/Sheet.tsx';
import { Medal } from './Medal.tsx';
import { ProgressBar } from './ProgressBar.tsx';
import type { BadgeCopy } from './queries.ts';
import { hasProgress, useBadgeText } from './use-badge-text.ts';

interface BadgeSheetProps {
  badge: BadgeCopy;
  onClose: () => void;
}

/** One badge: what it asks for, and when it was earned or what is missing. */
export function BadgeSheet({ badge, onClose }: BadgeSheetProps) {
  const { t } = useTranslation('badges');
  const text = useBadgeText();
  const { id, earned_at, progress, goal } = badge;
  return (
    <Sheet open onOpenChange={onClose} title={text.name(id)} description={text.rule(id)}>
      <div className="flex flex-col items-center gap-4 pt-2 pb-4 text-center">
        <Medal id={id} earned={earned_at !== null} size="lg" />
        {earned_at ? (
          <p className="flex items-center gap-2 font-semibold text-gold-ink">
            <Icon name="check" size={22} />
            {text.earned(earned_at)}
          </p>
        ) : (
          <>
            {hasProgress(id) && (
              <div className="w-full max-w-72">
                <ProgressBar progress={progress} goal={goal} />
                <p className="figures mt-3 flex flex-wrap justify-between gap-x-4 font-semibold">
                  <span>{text.progress(badge)}</span>
                  <span className="text-ink-soft">{text.missing(badge)}</span>
                </p>
              </div>
            )}
            <p className="max-w-[36ch] text-sm text-ink-faint">{t('onlyValidated', { minutes: MIN_SCORED_MINUTES })}</p>
          </>
        )}
      </div>
    </Sheet>
  );
}
