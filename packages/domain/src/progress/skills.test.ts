import { describe, expect, test } from 'vitest';
import { computeSkills, SKILL_AXES, type SkillAxis, type SkillFacts } from './skills.ts';

const NOTHING: SkillFacts = {
  latest: [],
  points_28_days: 0,
  weeks_on_target: 0,
  pairs_90_days: 0,
  validated_90_days: 0,
  ended_90_days: 0,
};

/** [value, measured, anchor] of one axis. */
function axisOf(axis: SkillAxis, facts: Partial<SkillFacts>) {
  const found = computeSkills({ ...NOTHING, ...facts }).find((one) => one.axis === axis);
  return found && [found.value, found.measured, found.anchor];
}

const latest = (...activities: [minutes: number, active_met_thousandths: number][]) =>
  activities.map(([minutes, active_met_thousandths]) => ({ minutes, active_met_thousandths }));

test('without any activity all six are 0, in their order', () => {
  expect(computeSkills(NOTHING).map(({ axis, value, measured }) => [axis, value, measured])).toEqual(
    SKILL_AXES.map((axis) => [axis, 0, 0]),
  );
});

describe('by hand', () => {
  test('endurance is the median length against 90 minutes', () => {
    expect(axisOf('endurance', { latest: latest([30, 7300], [120, 7300], [60, 7300]) })).toEqual([67, 60, 90]);
    expect(axisOf('endurance', { latest: latest([30, 7300], [120, 7300], [61, 7300], [60, 7300]) })).toEqual([
      67, 60.5, 90,
    ]);
    expect(axisOf('endurance', { latest: latest([45, 7300]) })).toEqual([50, 45, 90]);
    expect(axisOf('endurance', { latest: latest([180, 7300]) })).toEqual([100, 180, 90]);
  });

  test('volume is the points of 28 days against 4,800', () => {
    expect(axisOf('volume', { points_28_days: 1200 })).toEqual([25, 1200, 4800]);
    expect(axisOf('volume', { points_28_days: 4799 })).toEqual([100, 4799, 4800]);
    expect(axisOf('volume', { points_28_days: 9000 })).toEqual([100, 9000, 4800]);
  });

  test('intensity is the mean MET while moving, between 3 and 10', () => {
    // (7.3 − 3) / 7 = 0.614
    expect(axisOf('intensity', { latest: latest([60, 7300]) })).toEqual([61, 7.3, 10]);
    // (5.8 + 8.3 + 8.8) / 3 = 7.633; (7.633 − 3) / 7 = 0.662
    expect(axisOf('intensity', { latest: latest([60, 5800], [60, 8300], [60, 8800]) })).toEqual([66, 7.6, 10]);
    expect(axisOf('intensity', { latest: latest([60, 10_000]) })).toEqual([100, 10, 10]);
  });

  test('consistency is weeks on target of 8, variety is pairs of 6', () => {
    expect(axisOf('consistency', { weeks_on_target: 5 })).toEqual([63, 5, 8]);
    expect(axisOf('consistency', { weeks_on_target: 8 })).toEqual([100, 8, 8]);
    expect(axisOf('variety', { pairs_90_days: 2 })).toEqual([33, 2, 6]);
    expect(axisOf('variety', { pairs_90_days: 9 })).toEqual([100, 9, 6]);
  });

  test('fair play is the share that was validated', () => {
    expect(axisOf('fair_play', { validated_90_days: 2, ended_90_days: 3 })).toEqual([67, 67, 100]);
    expect(axisOf('fair_play', { validated_90_days: 0, ended_90_days: 3 })).toEqual([0, 0, 100]);
    expect(axisOf('fair_play', { validated_90_days: 3, ended_90_days: 3 })).toEqual([100, 100, 100]);
  });
});
