import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { capture, ROOT } from '../project/project.ts';
import type { Failure } from './test-report.ts';

/** Every flaky journey of every run on this machine, one JSON object per line. */
export const FLAKY_LEDGER = join(ROOT, '.cache/flaky-journeys.jsonl');

const ERROR_LINES = 8;

export async function appendFlaky(flaky: Failure[], path: string, date = new Date()): Promise<void> {
  if (flaky.length === 0) return;
  const { ok, output } = await capture('git', ['rev-parse', '--short', 'HEAD']);
  const commit = ok ? output.trim() : null;
  const lines = flaky.map(({ name, message }) => {
    // The first line alone often names no locator.
    const error = message.split('\n').slice(0, ERROR_LINES).join('\n');
    return `${JSON.stringify({ date: date.toISOString(), commit, name, error })}\n`;
  });
  mkdirSync(dirname(path), { recursive: true });
  appendFileSync(path, lines.join(''));
}
