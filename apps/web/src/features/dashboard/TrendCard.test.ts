import { expect, test } from 'vitest';
import { scaleTrend } from './TrendCard.tsx';

const weeks = (...points: number[]) => points.map((value) => ({ points: value }));

test('weeks below the goal leave its line at two thirds of the chart', () => {
  const { bars, goal } = scaleTrend(weeks(0, 300, 600), 600);
  expect(goal).toBeCloseTo(66.67, 1);
  expect(bars.map(Math.round)).toEqual([0, 33, 67]);
});

test('the best week fills the chart and the line sinks with it', () => {
  expect(scaleTrend(weeks(1_200, 2_400), 600)).toEqual({ bars: [50, 100], goal: 25 });
});

test('points that were taken away leave no bar', () => {
  expect(scaleTrend(weeks(-20, 0), 600).bars).toEqual([0, 0]);
});
