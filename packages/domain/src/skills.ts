/** The axes of the skills radar, clockwise from the top. */
export const SKILL_AXES = ['endurance', 'volume', 'intensity', 'consistency', 'variety', 'fair_play'] as const;
export type SkillAxis = (typeof SKILL_AXES)[number];

/** How many of the latest validated activities endurance and intensity look at. */
export const SKILL_ACTIVITIES = 10;
export const VOLUME_DAYS = 28;
/** For variety and fair play. */
export const SKILL_DAYS = 90;

/** What is 100 on each axis, in the axis's own unit: minutes, MET-minutes, MET, weeks, pairs, percent. */
const ANCHORS: Record<SkillAxis, number> = {
  endurance: 90,
  volume: 4_800,
  intensity: 10,
  consistency: 8,
  variety: 6,
  fair_play: 100,
};
/** A MET of 3 while moving is 0: the lower end of moderate exercise. */
const INTENSITY_ZERO_MET = 3;

export interface SkillFacts {
  /** The last 10 validated activities or fewer, in any order. */
  latest: readonly { minutes: number; active_met_thousandths: number }[];
  /** Validated points of the last 28 days. */
  points_28_days: number;
  /** Of the last 8 complete weeks. */
  weeks_on_target: number;
  /** Different pairs of sport and center with a validated activity in the last 90 days. */
  pairs_90_days: number;
  /** Of what ended in the last 90 days: validated, and all with what nobody confirmed or a referee rejected. */
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

/** The six axes in their order; formulas and anchors are our own. Without any activity all are 0. */
export function skillsOf(facts: SkillFacts): SkillValue[] {
  const { latest, ended_90_days } = facts;
  const met = latest.length === 0 ? 0 : mean(latest.map((one) => one.active_met_thousandths)) / 1000;
  const share = ended_90_days === 0 ? 0 : (100 * facts.validated_90_days) / ended_90_days;
  const exact: Record<SkillAxis, number> = {
    endurance: median(latest.map(({ minutes }) => minutes)),
    volume: facts.points_28_days,
    intensity: met,
    consistency: facts.weeks_on_target,
    variety: facts.pairs_90_days,
    fair_play: share,
  };
  return SKILL_AXES.map((axis) => {
    const zero = axis === 'intensity' ? INTENSITY_ZERO_MET : 0;
    const part = (exact[axis] - zero) / (ANCHORS[axis] - zero);
    const measured = axis === 'fair_play' ? Math.round(share) : Math.round(exact[axis] * 10) / 10;
    return { axis, value: Math.round(100 * Math.min(1, Math.max(0, part))), measured, anchor: ANCHORS[axis] };
  });
}

function mean(numbers: number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/** Of an even number of values the middle of the two in the middle; 0 of none. */
function median(numbers: number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? upper;
  return (lower + upper) / 2;
}
