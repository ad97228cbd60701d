import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { ImportError } from './types.ts';

const FLUSH_LENGTH = 64 * 1024;

/**
 * A report of any length, written as it comes: one JSON object whose long lists stand first, an entry a line. The file
 * appears under its name when it is published. All but `discard` throw an ImportError where it can't be written.
 */
export class ReportFile {
  private readonly path: string;
  private readonly part: FileHandle;
  private list: string | null = null;
  private entries = 0;
  private waiting = '';

  private constructor(path: string, part: FileHandle) {
    this.path = path;
    this.part = part;
  }

  static async create(path: string): Promise<ReportFile> {
    const known = await stat(path).catch(() => null);
    if (known !== null && !known.isFile()) unwritable(new Error(`${path} is there, and is no file`));
    return new ReportFile(path, await open(partOf(path), 'w').catch(unwritable));
  }

  /** Adds an entry to a list; those of one list come one after another. */
  async add(list: string, entry: unknown): Promise<void> {
    if (list !== this.list) await this.open(list);
    await this.write(`${this.entries === 0 ? '' : ','}\n  ${JSON.stringify(entry)}`);
    this.entries += 1;
  }

  /** Begins a list, which may stay empty. */
  async open(list: string): Promise<void> {
    await this.write(`${this.list === null ? '{' : '\n],'}\n${JSON.stringify(list)}: [`);
    this.list = list;
    this.entries = 0;
  }

  /** Ends the report with what is short. */
  async end(rest: Record<string, unknown>): Promise<void> {
    const fields = Object.entries(rest).map(([key, value]) => `,\n${JSON.stringify(key)}: ${JSON.stringify(value)}`);
    await this.write(`\n]${fields.join('')}\n}\n`);
    await this.flush();
    await this.part.close().catch(unwritable);
  }

  /** Gives the ended report its name. */
  async publish(): Promise<void> {
    await rename(partOf(this.path), this.path).catch(unwritable);
  }

  async discard(): Promise<void> {
    await this.part.close().catch(() => {});
    await rm(partOf(this.path), { force: true });
  }

  private async write(text: string): Promise<void> {
    this.waiting += text;
    if (this.waiting.length >= FLUSH_LENGTH) await this.flush();
  }

  private async flush(): Promise<void> {
    const text = this.waiting;
    this.waiting = '';
    await this.part.writeFile(text).catch(unwritable);
  }
}

function partOf(path: string): string {
  return `${path}.part`;
}

function unwritable(error: Error): never {
  throw new ImportError('unreadable', `the report can't be written: ${error.message}`);
}
