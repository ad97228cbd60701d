import { expect, test } from 'vitest';
import { formatBurnIn, sumRuns } from './burn-in.ts';

test('the runs of a file are added up, whatever runs between them', () => {
  const failed = { file: 'a.test.ts', runs: 1, failures: 1, flaky: 0 };
  const other = { file: 'e2e/b.spec.ts', runs: 20, failures: 0, flaky: 2 };
  const files = sumRuns([failed, other, { ...failed, failures: 0 }]);
  expect(files).toEqual([{ ...failed, runs: 2 }, other]);
  const rows = formatBurnIn(files)
    .split('\n')
    .map((row) => row.split(/ +/));
  expect(rows).toEqual([
    ['file', 'runs', 'failures', 'flaky'],
    ['a.test.ts', '2', '1', '0'],
    ['e2e/b.spec.ts', '20', '0', '2'],
  ]);
});
