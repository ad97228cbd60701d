import { INTENSITIES, type Intensity } from '@sendlap/domain/sports/sport-record.ts';
import { countsIntensity } from '@sendlap/domain/sports.ts';
import type { ReactNode } from 'react';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { daysAgo } from '#web/shared/time/days-ago.ts';
import { formatDay } from '#web/shared/time/format-day.ts';
import { formatDuration, formatPause } from '#web/shared/time/format-minutes.ts';
import { formatTimeRange } from '#web/shared/time/format-time-range.ts';
import { useServerNow } from '#web/shared/time/use-now.ts';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { useMeasures } from '#web/shared/units/use-measures.ts';
import { type Adjustment, adjustedEnd, potentialScore } from './scan-op.ts';
import type { ScannedCode } from './scanned-code.ts';

interface ScanFiguresProps {
  scan: ScannedCode;
  adjustment: Adjustment;
  /** Points for a referee's confirmation; otherwise for a friend's. */
  by_referee: boolean;
}

/** The three numbers that a referee compares with their own observation. */
export function ScanFigures({ scan, adjustment, by_referee }: ScanFiguresProps) {
  const { t } = useTranslation('qr');
  const locale = useLocale();
  const { swum } = useMeasures();
  const { minutes, points } = potentialScore(scan, adjustment, { by_referee });
  const distance_m = adjustment.distance_m ?? scan.code.distance_m;
  return (
    <dl className="flex flex-wrap justify-between gap-x-4 gap-y-2 rounded-lg bg-sunken px-4 py-3">
      <Figure label={t('card.elapsed')} value={formatDuration(minutes, locale)} />
      {distance_m !== null && <Figure label={t('card.distance')} value={swum(distance_m)} />}
      <Figure label={t('card.points')} value={t('card.upTo', { points: points.toLocaleString(locale) })} />
    </dl>
  );
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex min-w-0 flex-col-reverse justify-end">
      <dt className="text-sm text-ink-soft">{label}</dt>
      <dd className="figures text-heading font-bold whitespace-nowrap">{value}</dd>
    </div>
  );
}

/** Center, time and intensity. */
export function ScanFacts({ scan, center_name }: { scan: ScannedCode; center_name: string | null }) {
  const { t } = useTranslation('qr');
  const locale = useLocale();
  const { intensity, sport_type, started_at, paused_s } = scan.code;
  const times = formatTimeRange(started_at, adjustedEnd(scan, {}), locale);
  const days = daysAgo(started_at, useServerNow());
  const day = days === 0 ? t('card.today') : days === 1 ? t('card.yesterday') : formatDay(started_at, locale);
  const pauses = paused_s > 0 ? ` · ${t('card.paused', { time: formatPause(paused_s, locale) })}` : '';
  const effort =
    intensity === 'hard' ? t('card.hardNeedsYou') : t(intensity ? `adjust.${intensity}` : 'card.intensityNone');
  return (
    <dl className="flex flex-col gap-2.5">
      <Fact
        icon={<Icon name="map-pin" size={22} />}
        label={t('card.center')}
        value={center_name ?? t('card.centerUnknown')}
      />
      <Fact icon={<Icon name="clock" size={22} />} label={t('card.when')} value={`${day}, ${times}${pauses}`} />
      {countsIntensity(sport_type) && (
        <Fact icon={<IntensityBars intensity={intensity} />} label={t('card.intensity')} value={effort} />
      )}
    </dl>
  );
}

function Fact({ icon, label, value }: { icon: ReactNode; label: string; value: string }) {
  return (
    <div className="flex items-start gap-3">
      <dt className="mt-0.5 shrink-0 text-ink-faint">
        {icon}
        <span className="sr-only">{label}</span>
      </dt>
      <dd className="figures min-w-0 tracking-normal">{value}</dd>
    </div>
  );
}

/** One to three bars, like a signal indicator; all empty if no intensity was stated. */
function IntensityBars({ intensity }: { intensity: Intensity | null }) {
  const level = intensity === null ? 0 : INTENSITIES.indexOf(intensity) + 1;
  return (
    <svg width="22" height="22" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
      {[1, 2, 3].map((bar) => (
        <rect
          key={bar}
          x={bar * 6 - 2}
          y={19 - bar * 5}
          width="4"
          height={bar * 5}
          rx="1.2"
          opacity={bar <= level ? 1 : 0.3}
        />
      ))}
    </svg>
  );
}
