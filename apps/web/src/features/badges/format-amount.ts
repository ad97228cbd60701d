import type { BadgeRule } from '@sendlap/domain/progress/badges.ts';

type Unit = { unit: string; divisor?: number };

/** Units of the rules that have one; all other rules count. */
const UNITS: { [Kind in BadgeRule['kind']]?: Unit } = {
  swum_m: { unit: 'kilometer', divisor: 1_000 },
  climb_minutes: { unit: 'minute' },
  active_days: { unit: 'day' },
  pause_days: { unit: 'day' },
  streak_weeks: { unit: 'week' },
};

/** An amount in the unit of a badge's rule: '7', '2.5 km', '4 weeks'. */
export function formatAmount(kind: BadgeRule['kind'], amount: number, locale: string): string {
  const unit_format = UNITS[kind];
  if (!unit_format) return new Intl.NumberFormat(locale).format(amount);
  const { unit, divisor = 1 } = unit_format;
  return formatUnit(amount / divisor, divisor > 1 ? 'short' : 'long', unit, locale);
}

/**
 * Formats the progress without its unit: '2.4'. Rounded down, so that it never looks like a goal that is not reached.
 */
export function formatProgress(kind: BadgeRule['kind'], amount: number, locale: string): string {
  const divisor = UNITS[kind]?.divisor ?? 1;
  const tenths = divisor > 1 ? Math.floor((10 * amount) / divisor) / 10 : amount;
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(tenths);
}

/**
 * Formats the amount left: '7', '1.2 km', '25 m'. Rounded up, never to zero. `count`: the number in it, for plurals.
 */
export function formatRemaining(
  kind: BadgeRule['kind'],
  amount: number,
  locale: string,
): { count: number; amount: string } {
  const divisor = UNITS[kind]?.divisor ?? 1;
  if (divisor === 1) return { count: amount, amount: formatAmount(kind, amount, locale) };
  if (amount < divisor) {
    const metres = Math.ceil(amount);
    return { count: metres, amount: formatUnit(metres, 'short', 'meter', locale) };
  }
  const count = Math.ceil((10 * amount) / divisor) / 10;
  return { count, amount: formatAmount(kind, count * divisor, locale) };
}

function formatUnit(value: number, unitDisplay: 'short' | 'long', unit: string, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 }).format(value);
}
