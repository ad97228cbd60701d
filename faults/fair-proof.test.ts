import { expect, test } from 'vitest';
import { liveHonestly, ONE_ACCOUNT_A_CODE } from '../apps/api/test/fair-proof/honest-weeks.ts';

const refused = (...options: Parameters<typeof liveHonestly>) =>
  [...liveHonestly(...options).values()].reduce((sum, tally) => sum + tally.refused, 0);

test('no rule refuses an honest club, and a rule that is too strict is found', () => {
  expect(refused(390, 1)).toBe(0);
  expect(refused(130, 1, ONE_ACCOUNT_A_CODE)).toBeGreaterThan(0);
});
