import type { Streak } from '@sendlap/contract/dashboard.ts';
import { useState } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { classes } from '#web/shared/ui/classes.ts';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { Sheet } from '#web/shared/ui/sheet/Sheet.tsx';
import { type StreakDot, streakDots } from './streak-dots.ts';

const DOTS: Record<StreakDot['look'], string> = {
  done: 'size-4 bg-gold',
  extra: 'size-2.5 bg-gold',
  open: 'size-4 inset-ring-2 inset-ring-line',
};

interface StreakTileProps {
  streak: Streak | null;
  /** False: the streak is from another week, so its days are not shown as this week's. */
  is_current_week: boolean;
}

/** Weeks in a row, and this week's days against the target; a tap shows the rules. */
export function StreakTile({ streak, is_current_week }: StreakTileProps) {
  const { t } = useTranslation('dashboard');
  const [open, setOpen] = useState(false);
  if (streak === null) return <div className="-mt-2 min-h-19 rounded-lg bg-page" />;
  const { weeks, target_days, days_this_week } = streak;
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        className="pressable -mt-2 flex min-h-19 items-center gap-3 rounded-lg bg-page px-3.5 py-2.5 text-left"
      >
        <Icon name="flame" size={28} className={classes('shrink-0', weeks > 0 ? 'text-gold-ink' : 'text-ink-faint')} />
        <span className="min-w-0 flex-1">
          <span className="figures block font-bold">{t('streak.weeks', { count: weeks })}</span>
          {is_current_week && (
            <span className="figures mt-0.5 block text-caption leading-tight text-ink-soft">
              {days_this_week < target_days
                ? t('streak.days', { days: days_this_week, count: target_days })
                : t('streak.reached', { count: days_this_week })}
            </span>
          )}
        </span>
        {is_current_week && <Dots days={days_this_week} target_days={target_days} />}
      </button>
      {open && <StreakRules streak={streak} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Hidden from screen readers: the text beside the dots says the same. */
function Dots({ days, target_days }: { days: number; target_days: number }) {
  return (
    <span aria-hidden="true" className="flex shrink-0 items-center gap-1.5">
      {streakDots(days, target_days).map(({ day, look }) => (
        <span key={day} className={classes('rounded-full', DOTS[look])} />
      ))}
    </span>
  );
}

function StreakRules({ streak, onClose }: { streak: Streak; onClose: () => void }) {
  const { t } = useTranslation('dashboard');
  const { weeks, rest_available } = streak;
  const rest = rest_available ? 'restLeft' : weeks > 0 ? 'restUsed' : 'restRule';
  return (
    <Sheet
      open
      onOpenChange={onClose}
      title={t('streak.title')}
      description={t('streak.weeks', { count: streak.weeks })}
    >
      <ul className="flex flex-col gap-3">
        <li>{t('streak.target', { count: streak.target_days })}</li>
        <li>{t('streak.running')}</li>
        <li className="flex items-start gap-2">
          <Icon
            name={rest_available ? 'check' : 'clock'}
            size={20}
            className={classes('mt-0.5 shrink-0', rest_available ? 'text-gold-ink' : 'text-ink-faint')}
          />
          <span className="font-semibold">{t(`streak.${rest}`)}</span>
        </li>
      </ul>
    </Sheet>
  );
}
