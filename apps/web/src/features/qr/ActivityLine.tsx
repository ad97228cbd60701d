import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { formatTimes } from '#web/shared/ui/format-times.ts';
import { Icon } from '#web/shared/ui/Icon.tsx';
import type { FinishedActivity } from './activity-code.ts';
import { formatElapsed, formatMetres } from './times.ts';

const MINUTE_MS = 60_000;

/** What the code on the screen says, so that the athlete sees it before the referee does. */
export function ActivityLine({ activity }: { activity: FinishedActivity }) {
  const { t } = useTranslation('qr');
  const locale = useLocale();
  const started_at = Date.parse(activity.started_at);
  const ended_at = Date.parse(activity.ended_at);
  const climbing = activity.sport_type === 'climbing';
  const { distance_m, potential_points } = activity;
  const minutes = Math.floor((ended_at - started_at) / MINUTE_MS);
  const facts = [formatTimes(started_at, ended_at, locale), formatElapsed(minutes, locale)];
  if (distance_m !== null) facts.push(formatMetres(distance_m, locale));
  return (
    <Card tone={climbing ? 'climb' : 'swim'} className="flex items-center gap-3.5">
      <span className={climbing ? 'text-climb-ink' : 'text-swim-ink'}>
        <Icon name={climbing ? 'mountain' : 'wave'} size={30} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="truncate font-semibold">{activity.sport_center_name}</p>
        <p className="figures text-[0.9375rem] text-ink-soft">{facts.join(' · ')}</p>
        <p className="text-[0.9375rem] text-ink-soft">{t('generate.potential', { count: potential_points })}</p>
      </div>
    </Card>
  );
}
