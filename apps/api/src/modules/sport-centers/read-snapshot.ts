import { setImmediate } from 'node:timers/promises';
import { type Columns, writeColumns } from '@sendlap/center-index/columns.ts';
import type { Database, Trx } from '#api/platform/database.ts';
import { type RecordPlaces, writeRecords } from './record-file.ts';
import { type CenterRow, countCenters, readCenters, readDataVersion, toSportCenter } from './store.ts';

/** All centers of one moment, by name; the records are in the file that was named. */
export interface SnapshotData {
  version: string;
  columns: Columns;
  records: RecordPlaces;
  /** Ids of rows that are not as the contract wants them. */
  left_out: string[];
}

/** Reads `batch_rows` at a time, and serialises each center as the contract describes it. */
export async function readSnapshot(database: Database, file: number, batch_rows: number): Promise<SnapshotData> {
  return await database
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => ({ version: await readDataVersion(trx), ...(await readAll(trx, file, batch_rows)) }));
}

async function readAll(trx: Trx, file: number, batch_rows: number) {
  const count = await countCenters(trx);
  const columns = writeColumns(count);
  const records = writeRecords(file, count);
  const left_out: string[] = [];
  let size = 0;
  let reading: Promise<CenterRow[]> | undefined = readCenters(trx, undefined, batch_rows);
  while (reading !== undefined) {
    const rows: CenterRow[] = await reading;
    // The database works on the next rows while these are worked on; it is asked as soon as the event loop gets there.
    reading = rows.length < batch_rows ? undefined : readCenters(trx, rows.at(-1), batch_rows);
    // A failure is thrown where it is awaited, which may be after these rows.
    reading?.catch(() => {});
    await setImmediate();
    for (const row of rows) {
      const center = toSportCenter(row);
      if (!center) {
        left_out.push(row.id);
        continue;
      }
      const sports = center.sport_facilities.map(({ type }) => type);
      columns.add({ ...center, sports, is_closed: center.closed_at !== null });
      records.add(size, Buffer.from(JSON.stringify(center)));
      size += 1;
    }
  }
  return { columns: columns.finish(), records: records.finish(size), left_out };
}
