import { expect, test } from 'vitest';
import { assumptionOf } from './score-breakdown.ts';

test('the app shows the assumptions of rule met-1', () => {
  expect(assumptionOf('climbing')).toEqual({ active_percent: 30, rest_met_thousandths: 2500 });
  expect(assumptionOf('swimming')).toEqual({ active_percent: 85, rest_met_thousandths: 2000 });
});
