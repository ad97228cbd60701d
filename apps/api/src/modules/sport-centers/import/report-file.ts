import { open, rename, rm, stat } from 'node:fs/promises';
import { ImportError } from './types.ts';

/** A file that appears under its name when it is published. */
export type ReportFile = { write(report: object): Promise<void>; publish(): Promise<void>; discard(): Promise<void> };

/** Begins a report file. This, `write` and `publish` throw ImportError `unreadable` where it can't be written. */
export async function createReportFile(path: string): Promise<ReportFile> {
  const known = await stat(path).catch(() => null);
  if (known !== null && !known.isFile()) unwritable(new Error(`${path} is there, and is no file`));
  const part = await open(`${path}.part`, 'w').catch(unwritable);
  return {
    async write(report) {
      await part.writeFile(`${JSON.stringify(report, null, 1)}\n`).catch(unwritable);
      await part.close().catch(unwritable);
    },
    publish: () => rename(`${path}.part`, path).catch(unwritable),
    async discard() {
      await part.close().catch(() => {});
      await rm(`${path}.part`, { force: true });
    },
  };
}

function unwritable(error: Error): never {
  throw new ImportError('unreadable', `the report can't be written: ${error.message}`);
}
