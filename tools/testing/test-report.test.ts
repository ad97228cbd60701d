import { expect, test } from 'vitest';
import {
  addReports,
  describeReport,
  findFlakyProblems,
  readJourneys,
  readVitest,
  type TestReport,
} from './test-report.ts';

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
    flaky: [],
    quarantined: [],
  });
});

test('a failed journey is listed with its trace and the end of the server log, an error outside of any journey too', () => {
  const report = readJourneys({
    passed: 2,
    skipped: 1,
    failed: [
      { name: 'e2e/a.spec.ts › opens', error: 'timed out', trace: '.cache/e2e/a/trace.zip', server_log: 'warn: slow' },
    ],
    flaky: [{ name: 'e2e/a.spec.ts › closes', error: '\u001b[31mno button\u001b[39m' }],
    quarantined: [{ name: 'e2e/b.spec.ts › waits', terms: 'Ada: slow map, since 2026-11-01', outcome: 'expected' }],
    errors: ['no browser'],
    files: [],
  });
  expect(report).toEqual({
    passed: 2,
    skipped: 1,
    failures: [
      {
        name: 'e2e/a.spec.ts › opens',
        message: 'timed out\ntrace: .cache/e2e/a/trace.zip\nend of the server log:\nwarn: slow',
      },
      { name: 'outside of any journey', message: 'no browser' },
    ],
    flaky: [{ name: 'e2e/a.spec.ts › closes', message: 'no button' }],
    quarantined: [
      {
        name: 'e2e/b.spec.ts › waits',
        terms: 'Ada: slow map, since 2026-11-01',
        outcome: 'expected',
        message: '',
      },
    ],
  });
});

const none: TestReport = { passed: 2, skipped: 0, failures: [], flaky: [], quarantined: [] };

test('four flaky journeys are a problem, three are not', () => {
  const flaky = Array.from({ length: 4 }, (_, index) => ({ name: `journey ${index}`, message: 'late' }));
  expect(findFlakyProblems({ ...none, flaky })).toEqual(['4 journeys were flaky, 3 are allowed']);
  expect(findFlakyProblems({ ...none, flaky: flaky.slice(1) })).toEqual([]);
});

test('the last line has the counts alone, with skipped tests only if there are any', () => {
  const failures = [{ name: 'sum.test.ts › adds up', message: 'expected 1\ngot 2' }];
  const one = { ...none, passed: 1, skipped: 5, failures };
  expect(describeReport(none, [])).toBe('2 passed, 0 failed');
  expect(describeReport(addReports([none, one]), ['npm run check failed'])).toBe(
    'Failed: sum.test.ts › adds up\n    expected 1\n    got 2\n\nProblem: npm run check failed\n3 passed, 1 failed, 5 skipped',
  );
});

test('flaky and quarantined journeys are named above the counts', () => {
  const flaky = [{ name: 'e2e/a.spec.ts › closes', message: 'no button' }];
  const quarantined = [{ name: 'e2e/b.spec.ts › waits', outcome: 'unexpected', terms: 'Ada: slow', message: 'late' }];
  expect(describeReport({ ...none, flaky, quarantined }, [])).toBe(
    [
      'Quarantined, unexpected: e2e/b.spec.ts › waits\n    Ada: slow\n    late\n',
      'Flaky, passed in its rerun: e2e/a.spec.ts › closes\n    no button\n',
      '1 flaky, counted as passed\n',
      '2 passed, 0 failed',
    ].join('\n'),
  );
});
