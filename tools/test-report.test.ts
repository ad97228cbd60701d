import { expect, test } from 'vitest';
import { addReports, describeReport, readPlaywright, readVitest } from './test-report.ts';

test('a failed test is named with its file, and a test file that does not load counts as one failure', () => {
  const failed = { status: 'failed', fullName: 'adds up', failureMessages: ['\u001b[31mexpected 1\u001b[39m'] };
  const passed = { status: 'passed', fullName: 'is there', failureMessages: [] };
  const report = readVitest(
    {
      numPassedTests: 3,
      numPendingTests: 1,
      numTodoTests: 1,
      testResults: [
        { name: '/repo/apps/sum.test.ts', status: 'failed', message: '', assertionResults: [failed, passed] },
        { name: '/repo/apps/broken.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
        { name: '/repo/apps/good.test.ts', status: 'passed', message: '', assertionResults: [passed] },
      ],
    },
    '/repo',
  );
  expect(report).toEqual({
    passed: 3,
    skipped: 2,
    failures: [
      { name: 'apps/sum.test.ts › adds up', message: 'expected 1' },
      { name: 'apps/broken.test.ts', message: 'no such module' },
    ],
  });
});

test('a failed journey is named wherever it stands, and what broke outside of a journey counts as a failure', () => {
  const run = (title: string, status: string, message: string) => ({
    file: 'e2e/shell.spec.ts',
    title,
    tests: [{ status, results: [{ errors: [{ message }] }] }],
  });
  const report = readPlaywright({
    stats: { expected: 2, flaky: 1, skipped: 4 },
    suites: [
      {
        specs: [run('opens', 'unexpected', 'timed out'), run('closes', 'expected', '')],
        suites: [{ specs: [run('goes on', 'unexpected', 'no button'), run('came late', 'flaky', 'once')] }],
      },
    ],
    errors: [{ message: 'no browser' }],
  });
  expect(report).toEqual({
    passed: 3,
    skipped: 4,
    failures: [
      { name: 'e2e/shell.spec.ts › opens', message: 'timed out' },
      { name: 'e2e/shell.spec.ts › goes on', message: 'no button' },
      { name: 'outside of any journey', message: 'no browser' },
    ],
  });
});

test('the end of a run tells of each failure, and of skipped tests only when there are any', () => {
  const none = { passed: 2, skipped: 0, failures: [] };
  const one = { passed: 1, skipped: 5, failures: [{ name: 'sum.test.ts › adds up', message: 'expected 1\ngot 2' }] };
  expect(describeReport(none)).toBe('2 passed, 0 failed');
  expect(describeReport(addReports([none, one]))).toBe(
    'Failed: sum.test.ts › adds up\n    expected 1\n    got 2\n\n3 passed, 1 failed, 5 skipped',
  );
});
