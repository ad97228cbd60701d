import { writeSync } from 'node:fs';
import { orderColumns } from '@sendlap/center-index/index-columns.ts';
import KDBush from 'kdbush';
import { openDatabase } from '#api/platform/database.ts';
import { readSnapshot } from './read-snapshot.ts';
import { copyRecords, createNamelessFile } from './record-file.ts';
import { arraysOf, COLUMNS_FILE, type Described, type Problem, RECORDS_FILE, type Request } from './snapshot-files.ts';

// A process that reads one snapshot into the two files that it was given, describes it and ends.
const BATCH_ROWS = 1000;

process.once('disconnect', () => process.exit(1));
process.once('message', ({ database_url }: Request) => {
  readAll(database_url).then(answer, ({ message, code, syscall }: Problem) => answer({ message, code, syscall }));
});

function answer(said: Described | Problem): void {
  process.send?.(said, () => process.exit(0));
}

async function readAll(database_url: string): Promise<Described> {
  const database = openDatabase(database_url);
  const records_by_name = createNamelessFile();
  const data = await readSnapshot(database, records_by_name, BATCH_ROWS);
  await database.destroy();
  const { version, columns, left_out } = data;
  const order = orderColumns(columns);
  // Neighbours come to lie side by side: they are what a search near a place reads together.
  const records = copyRecords(records_by_name, data.records, RECORDS_FILE, KDBush.from(order.tree).ids);
  for (const array of arraysOf({ columns, order, records })) writeAll(array);
  return { version, left_out, size: columns.size, country_names: [...columns.country_names] };
}

function writeAll({ buffer, byteOffset, byteLength }: ArrayBufferView): void {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  for (let done = 0; done < byteLength; ) done += writeSync(COLUMNS_FILE, bytes, done);
}
