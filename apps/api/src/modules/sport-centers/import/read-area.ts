import { openRecords, type Reading, type ReadRecord, refOf } from './parse.ts';
import { openFile } from './read-file.ts';

/**
 * The answers for the cells of an area as one reading. What lies on the edge of two cells stands in both and is taken
 * once.
 */
export function openCells(files: string[], options: { licence?: string; on_read?: (done: number) => void }): Reading {
  const notes: string[] = [];
  const read = async function* (): AsyncGenerator<ReadRecord> {
    const seen = new Set<string>();
    for (const [done, file] of files.entries()) {
      const cell = openRecords(await openFile(file), { licence: options.licence });
      for await (const record of cell.records) {
        const ref = 'code' in record ? record.ref : refOf(record);
        if (seen.has(ref)) continue;
        yield { ...record, index: seen.size };
        seen.add(ref);
      }
      notes.push(...cell.notes);
      options.on_read?.(done + 1);
    }
  };
  return { records: read(), notes };
}
