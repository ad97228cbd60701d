import { expect, test } from 'vitest';
import { addCounts, countPlaywright, countVitest, describeCounts } from './test-counts.ts';

const vitest = { numPassedTests: 3, numFailedTests: 1, numPendingTests: 1, numTodoTests: 1 };
const failed_file = { status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'passed' }] };
const broken_file = { status: 'failed', assertionResults: [] };

test('a test file that does not load counts as failed', () => {
  expect(countVitest({ ...vitest, testResults: [failed_file, broken_file] })).toEqual({
    passed: 3,
    failed: 2,
    skipped: 2,
  });
});

test('a journey that broke outside of a test counts as failed, one that passed at the second try as passed', () => {
  const stats = { expected: 2, unexpected: 1, flaky: 1, skipped: 4 };
  expect(countPlaywright({ stats, errors: [{}] })).toEqual({ passed: 3, failed: 2, skipped: 4 });
});

test('the summary names skipped tests only when there are any', () => {
  const none = { passed: 2, failed: 0, skipped: 0 };
  expect(describeCounts(none)).toBe('2 passed, 0 failed');
  expect(describeCounts(addCounts([none, { passed: 1, failed: 1, skipped: 5 }]))).toBe('3 passed, 1 failed, 5 skipped');
});
