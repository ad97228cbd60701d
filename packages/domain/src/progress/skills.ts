/** The axes of the skills radar, clockwise from the top. */
export const SKILL_AXES = ['endurance', 'volume', 'intensity', 'consistency', 'variety', 'fair_play'] as const;
export type SkillAxis = (typeof SKILL_AXES)[number];

/** How many of the latest validated activities count for endurance and intensity. */
export const SKILL_ACTIVITIES = 10;
export const VOLUME_DAYS = 28;
/** Period for variety and fair play. */
export const SKILL_DAYS = 90;

/** The measurement that means 100 on each axis, in its own unit: minutes, MET-minutes, MET, weeks, pairs, percent. */
const ANCHORS: Record<SkillAxis, number> = {
  endurance: 90,
  volume: 4_800,
  intensity: 10,
  consistency: 8,
  variety: 6,
  fair_play: 100,
};
/** 3 METs while moving mean 0: the lower end of moderate exercise. */
const INTENSITY_ZERO_MET = 3;

export interface SkillFacts {
  /** The last 10 validated activities or fewer, in any order. */
  latest: readonly { minutes: number; active_met_thousandths: number }[];
  /** Validated points of the last 28 days. */
  points_28_days: number;
  /** Weeks on target of the last 8 complete weeks. */
  weeks_on_target: number;
  /** Distinct pairs of sport and center with a validated activity in the last 90 days. */
  pairs_90_days: number;
  /**
   * Activities that ended in the last 90 days: the validated ones, and all, including unconfirmed and rejected ones.
   */
  validated_90_days: number;
  ended_90_days: number;
}

export interface SkillValue {
  axis: SkillAxis;
  /** 0 to 100, whole. */
  value: number;
  /** In the axis's own unit; MET with one decimal, percent whole. */
  measured: number;
  anchor: number;
}

/** Returns the six axes in order; formulas and anchors are our own. Without activities all values are 0. */
export function computeSkills(facts: SkillFacts): SkillValue[] {
  const { latest, ended_90_days } = facts;
  const met = latest.length === 0 ? 0 : mean(latest.map((one) => one.active_met_thousandths)) / 1000;
  const share = ended_90_days === 0 ? 0 : (100 * facts.validated_90_days) / ended_90_days;
  const measurements: Record<SkillAxis, number> = {
    endurance: median(latest.map(({ minutes }) => minutes)),
    volume: facts.points_28_days,
    intensity: met,
    consistency: facts.weeks_on_target,
    variety: facts.pairs_90_days,
    fair_play: share,
  };
  return SKILL_AXES.map((axis) => {
    const zero = axis === 'intensity' ? INTENSITY_ZERO_MET : 0;
    const fraction = (measurements[axis] - zero) / (ANCHORS[axis] - zero);
    const measured = axis === 'fair_play' ? Math.round(share) : Math.round(measurements[axis] * 10) / 10;
    return { axis, value: Math.round(100 * Math.min(1, Math.max(0, fraction))), measured, anchor: ANCHORS[axis] };
  });
}

function mean(numbers: number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/** Returns the median: for an even count the mean of the two middle numbers, 0 for an empty list. */
function median(numbers: number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? upper;
  return (lower + upper) / 2;
}
