import type { BadgeRule } from '@sendlap/domain/badges.ts';

type Unit = { unit: string; divisor?: number };

/** What has a unit of its own; everything else is counted. */
const UNITS: { [Kind in BadgeRule['kind']]?: Unit } = {
  swum_m: { unit: 'kilometer', divisor: 1_000 },
  climb_minutes: { unit: 'minute' },
  active_days: { unit: 'day' },
  pause_days: { unit: 'day' },
  streak_weeks: { unit: 'week' },
};

/** An amount in the unit of a badge's rule: '7', '2.5 km', '4 weeks'. */
export function formatAmount(kind: BadgeRule['kind'], amount: number, locale: string): string {
  const known = UNITS[kind];
  if (!known) return new Intl.NumberFormat(locale).format(amount);
  const { unit, divisor = 1 } = known;
  const style = { style: 'unit', unit, unitDisplay: divisor > 1 ? 'short' : 'long', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(locale, style).format(amount / divisor);
}
