import type { BadgeRule } from '@sendlap/domain/progress/badges.ts';
import { numberFormat } from '#web/shared/i18n/formats.ts';
import type { Measures } from '#web/shared/units/measures.ts';

type Kind = BadgeRule['kind'];

/** Units of the rules that have one; swum metres are in the user's units, all other rules count. */
const UNITS: { [Name in Kind]?: string } = {
  climb_minutes: 'minute',
  active_days: 'day',
  pause_days: 'day',
  streak_weeks: 'week',
};

/** Formats amounts of badges in the unit of their rule. */
export function createAmounts({ swumTotal }: Pick<Measures, 'swumTotal'>, locale: string) {
  const number = numberFormat(locale, { maximumFractionDigits: 1 });
  function withUnit(kind: Kind, amount: number): string {
    const unit = UNITS[kind];
    if (!unit) return number.format(amount);
    return numberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(amount);
  }
  return {
    /** '7', '10 km', '6.3 mi', '4 weeks'. */
    goal: (kind: Kind, goal: number) => (kind === 'swum_m' ? swumTotal(goal, 'up').text : withUnit(kind, goal)),
    /**
     * The progress in the unit of its goal, without the unit: '2.4'. Rounded down, so that it never looks like a goal that
     * is not reached.
     */
    progress: (kind: Kind, progress: number, goal: number) =>
      number.format(kind === 'swum_m' ? swumTotal(progress, 'down', goal).count : progress),
    /** The amount left: '7', '1.2 km', '25 m'. Rounded up, never to zero. `count`: the number in it, for plurals. */
    remaining(kind: Kind, amount: number): { count: number; amount: string } {
      if (kind !== 'swum_m') return { count: amount, amount: withUnit(kind, amount) };
      const { count, text } = swumTotal(amount, 'up');
      return { count, amount: text };
    },
  };
}
