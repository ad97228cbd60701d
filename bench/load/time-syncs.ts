import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Of PostgreSQL. */
const PAGE = Buffer.alloc(8192, 1);

/**
 * Returns the milliseconds of each sync of one page to the disk of the temporary files, made one after the other for
 * this long: the least that a commit costs on this disk.
 */
export function timeSyncs(duration_s: number): number[] {
  const folder = mkdtempSync(join(tmpdir(), 'sendlap-syncs-'));
  const file = openSync(join(folder, 'pages'), 'w');
  const times: number[] = [];
  try {
    const until = performance.now() + duration_s * 1000;
    while (performance.now() < until) {
      writeSync(file, PAGE);
      const started_at = performance.now();
      fdatasyncSync(file);
      times.push(performance.now() - started_at);
    }
  } finally {
    closeSync(file);
    rmSync(folder, { recursive: true });
  }
  return times;
}
