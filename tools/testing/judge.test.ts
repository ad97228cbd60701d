import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { judge } from './judge.ts';
import type { PartResult } from './run-vitest.ts';

function flakyRun(count: number): PartResult {
  const flaky = Array.from({ length: count }, (_, index) => ({
    name: `e2e/${index}.spec.ts`,
    message: 'late\nlocator',
  }));
  return { report: { passed: count, skipped: 0, failures: [], flaky, quarantined: [] }, problems: [] };
}

function openLedger(): { path: string; read: () => { name: string; error: string }[] } {
  const folder = mkdtempSync(join(tmpdir(), 'sendlap-ledger-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'new', 'flaky.jsonl');
  const lines = () => readFileSync(path, 'utf8').trim().split('\n');
  return { path, read: () => lines().map((line) => JSON.parse(line)) };
}

test('three flaky journeys are noted in the ledger and make no run red; a fourth does', async () => {
  const ledger = openLedger();
  expect((await judge([flakyRun(3)], ledger.path)).problems).toEqual([]);
  expect(ledger.read()).toHaveLength(3);
  const { problems, report } = await judge([flakyRun(3), flakyRun(1)], ledger.path);
  expect(problems).toEqual(['4 journeys were flaky, 3 are allowed']);
  expect(report.passed).toBe(4);
  expect(ledger.read()).toHaveLength(7);
  expect(ledger.read().at(-1)).toMatchObject({ name: 'e2e/0.spec.ts', error: 'late\nlocator' });
});

test('a problem of a part is one of the run', async () => {
  const { problems } = await judge([{ problems: ['vitest ended before it could report'] }], openLedger().path);
  expect(problems).toEqual(['vitest ended before it could report']);
});
