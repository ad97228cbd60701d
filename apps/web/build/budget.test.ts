import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { checkBudget } from './budget.ts';

/** Weighs a build whose worker precaches files of these sizes. Returns the lines of exceeded budgets. */
function weigh(sizes_kb: number[]): string[] {
  const dist = mkdtempSync(join(tmpdir(), 'sendlap-dist-'));
  const print = vi.spyOn(console, 'log').mockImplementation(() => {});
  onTestFinished(() => {
    print.mockRestore();
    rmSync(dist, { recursive: true });
  });
  for (const folder of ['.vite', 'assets']) mkdirSync(join(dist, folder));
  writeFileSync(join(dist, '.vite/manifest.json'), '{}');
  writeFileSync(join(dist, 'index.html'), '<script type="module" src="/assets/first.js"></script>');
  for (const file of ['boot.js', 'sw.js', 'assets/first.js']) writeFileSync(join(dist, file), '');
  const files = sizes_kb.map((kb, index) => {
    writeFileSync(join(dist, `assets/${index}.js`), ' '.repeat(kb * 1000));
    return `assets/${index}.js`;
  });
  const is_over = checkBudget(dist, { files, code_reader: [], sender: 'assets/0.js', entries: [] });
  const lines = print.mock.calls.map(([line]) => String(line)).filter((line) => line.includes('OVER BUDGET'));
  expect(is_over).toBe(lines.length > 0);
  print.mockRestore();
  return lines;
}

test('a build may precache 50 files of 1,000 KB in all, and neither one file nor one KB more', () => {
  expect(weigh(Array<number>(50).fill(20))).toEqual([]);
  expect(weigh(Array<number>(51).fill(1))).toEqual([expect.stringContaining('more than 50 files')]);
  expect(weigh([1000, 1])).toEqual([expect.stringContaining('1001.0 KB of 1000 KB')]);
});
