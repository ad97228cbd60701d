import { readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { type FetchOptions, fetchArea } from './fetch-overpass.ts';
import type { ImportOptions, ImportProgress } from './import-centers.ts';
import { parseMapping } from './read/csv-mapping.ts';
import { openRecords, type ReadRecord, type RecordStream, refOf } from './read/open-records.ts';
import { parseArea } from './read/overpass-area.ts';
import { openFile } from './read/read-file.ts';
import { ImportError, type ReadOptions } from './read/types.ts';

/** The source named by the operator: how to read it, and the scope it covers completely. */
export type ImportSource = Pick<ImportOptions, 'open' | 'complete'>;

type OnProgress = ((progress: ImportProgress) => void) | undefined;

/** A file of any of the formats. @throws ImportError `unreadable`, `bad_mapping` */
export async function openFileSource(
  path: string,
  options: Pick<ReadOptions, 'source' | 'licence'> & { mapping?: string; complete: boolean },
  onProgress: OnProgress,
): Promise<ImportSource> {
  const file = await openFile(path);
  const mapping = options.mapping === undefined ? undefined : parseMapping(await readMappingFile(options.mapping));
  const { source, licence } = options;
  const file_name = basename(path, extname(path));
  const on_read = (done: number, total: number) => onProgress?.({ phase: 'read', done, total });
  return {
    open: async () => openRecords(file, { source, licence, file_name, mapping, on_read }),
    complete: options.complete ? {} : undefined,
  };
}

/** An area of an Overpass server, which is queried when the stream is opened. @throws ImportError `no_such_area` */
export function openAreaSource(
  name: string,
  options: Pick<FetchOptions, 'endpoint' | 'fresh' | 'wait' | 'on_busy' | 'signal'> & {
    data_dir: string;
    licence?: string;
  },
  onProgress: OnProgress,
): ImportSource {
  const area = parseArea(name);
  const progress = (phase: string) => (done: number, total: number) => onProgress?.({ phase, done, total });
  return {
    open: async () => {
      const folder = join(options.data_dir, 'overpass');
      const files = await fetchArea(area, { ...options, folder, on_cell: progress('fetch') });
      return openCells(files, { licence: options.licence, on_read: (done) => progress('read')(done, files.length) });
    },
    complete: { sources: ['osm'], box: area.box },
  };
}

async function readMappingFile(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).replace(/^\ufeff/, '');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ImportError('bad_mapping', `the mapping file can't be read: ${reason}`);
  }
}

/**
 * The responses for an area's cells as one record stream. An element on the edge of two cells is in both responses and
 * is read once.
 */
function openCells(files: string[], options: { licence?: string; on_read?: (done: number) => void }): RecordStream {
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
