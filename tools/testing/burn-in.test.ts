import { expect, test } from 'vitest';
import { findUnburnt, formatBurnIn, sumRuns } from './burn-in.ts';

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

test('a changed file that did not run ten times is a problem', () => {
  const ran = { file: 'a.test.ts', runs: 10, failures: 0, flaky: 0 };
  expect(findUnburnt(['a.test.ts'], [ran])).toEqual([]);
  expect(findUnburnt(['a.test.ts', 'b.test.ts'], [{ ...ran, runs: 9 }])).toEqual([
    'a.test.ts ran 9 times, 10 are expected',
    'b.test.ts ran 0 times, 10 are expected',
  ]);
});
