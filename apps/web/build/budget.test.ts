import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { checkBudget } from './budget.ts';

interface Sizes {
  /** The precached files, KB. */
  files?: number[];
  worker?: number;
  sender?: number;
}

/** Weighs a build of these sizes, KB. Returns the lines of exceeded budgets. */
function weigh({ files: sizes_kb = [], worker = 0, sender = 0 }: Sizes): string[] {
  const dist = mkdtempSync(join(tmpdir(), 'sendlap-dist-'));
  const print = vi.spyOn(console, 'log').mockImplementation(() => {});
  onTestFinished(() => {
    print.mockRestore();
    rmSync(dist, { recursive: true });
  });
  for (const folder of ['.vite', 'assets']) mkdirSync(join(dist, folder));
  writeFileSync(join(dist, '.vite/manifest.json'), '{}');
  writeFileSync(join(dist, 'index.html'), '<script type="module" src="/assets/first.js"></script>');
  for (const file of ['boot.js', 'assets/first.js']) writeFileSync(join(dist, file), '');
  writeFileSync(join(dist, 'sw.js'), ' '.repeat(worker * 1000));
  writeFileSync(join(dist, 'assets/sender.js'), ' '.repeat(sender * 1000));
  const files = sizes_kb.map((kb, index) => {
    writeFileSync(join(dist, `assets/${index}.js`), ' '.repeat(kb * 1000));
    return `assets/${index}.js`;
  });
  const is_over = checkBudget(dist, { files, code_reader: [], sender: 'assets/sender.js', entries: [] });
  const lines = print.mock.calls.map(([line]) => String(line)).filter((line) => line.includes('OVER BUDGET'));
  expect(is_over).toBe(lines.length > 0);
  print.mockRestore();
  return lines;
}

test('a build may precache 50 files of 1,000 KB in all, and neither one file nor one KB more', () => {
  expect(weigh({ files: Array<number>(50).fill(20) })).toEqual([]);
  expect(weigh({ files: Array<number>(51).fill(1) })).toEqual([expect.stringContaining('more than 50 files')]);
  expect(weigh({ files: [1000, 1] })).toEqual([expect.stringContaining('1001.0 KB of 1000 KB')]);
});

test('a worker may have 12 KB, and the script with which it sends 25 KB', () => {
  expect(weigh({ worker: 12, sender: 25 })).toEqual([]);
  expect(weigh({ worker: 13 })).toEqual([expect.stringContaining('13.0 KB of 12 KB')]);
  expect(weigh({ sender: 26 })).toEqual([expect.stringContaining('26.0 KB of 25 KB')]);
});
