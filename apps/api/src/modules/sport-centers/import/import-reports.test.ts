import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#api/database/database.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { describeUnlessMissing } from '#test/skip-without.ts';
import { type ImportOptions, importCenters } from './import-centers.ts';
import { openRecords } from './read/open-records.ts';
import { openFile } from './read/read-file.ts';
import type { ImportReport } from './report.ts';
import { loadStarterCenters } from './starter.ts';

const folder = process.env.CENTERS_DATA_DIR;
const TIMEOUT_MS = 300_000;

/** One line per run: its counts; edit by hand only for a deliberate change of a rule. */
const EXPECTED = readFileSync(join(import.meta.dirname, 'expected-reports.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line): { series: string; file: string; run: string } => JSON.parse(line));
const runsOf = (series: string) => EXPECTED.filter((expected) => expected.series === series);
const ALONE = Map.groupBy(runsOf('alone'), ({ file }) => file);

const OPTIONS: Record<string, Partial<ImportOptions>> = {
  alone: {},
  onto_starter_set: {},
  complete: { complete: {}, may_close_many: true },
};

describeUnlessMissing(folder === undefined ? 'CENTERS_DATA_DIR' : undefined, 'the counts of the import reports', () => {
  let database: Database;
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ database, close } = await openTestDatabase());
  });

  afterAll(() => close());

  async function expectRuns(runs: typeof EXPECTED): Promise<void> {
    for (const expected of runs) {
      const { series, file, run } = expected;
      const open = async () => openRecords(await openFile(join(folder ?? '', file)), { file_name: file });
      const report = await importCenters({ database, open, dry_run: run === 'dry_run', ...OPTIONS[series] });
      expect({ series, file, run, ...countsOf(report) }).toEqual(expected);
      if (run === 'second') expect(report).toMatchObject({ imported: 0, updated: 0, enriched: 0 });
    }
  }

  const empty = () => sql`truncate sport_centers cascade`.execute(database);

  it.each([...ALONE])(
    '%s into an empty database: a dry run, and two imports',
    async (_file, runs) => {
      await empty();
      await expectRuns(runs);
    },
    TIMEOUT_MS,
  );

  it(
    'each file after the others, onto the starter set',
    async () => {
      await empty();
      await loadStarterCenters(database);
      await expectRuns(runsOf('onto_starter_set'));
    },
    TIMEOUT_MS,
  );

  it(
    'each file after the others, as all that its sources have',
    async () => {
      await empty();
      await expectRuns(runsOf('complete'));
    },
    TIMEOUT_MS,
  );
});

/** The full report, with the number of entries in place of their texts. */
function countsOf({ notes, merged, refused, ...counts }: ImportReport) {
  return { ...counts, notes: notes.length, merged: merged.length, refused: refused.length };
}
