import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { ImportError } from './types.ts';

const FLUSH_LENGTH = 64 * 1024;

/**
 * A report of any length, written as it comes: one JSON object whose long lists stand first, an entry a line. The file
 * appears under its name when it is whole.
 */
export class ReportFile {
  private readonly path: string;
  private readonly stream: WriteStream;
  private list: string | null = null;
  private entries = 0;
  private failure: Error | null = null;
  private waiting = '';

  constructor(path: string) {
    this.path = path;
    this.stream = createWriteStream(`${path}.part`);
    this.stream.on('error', (error) => {
      this.failure = error;
    });
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
    this.stream.end();
    await finished(this.stream).catch(unwritable);
    await rename(`${this.path}.part`, this.path);
  }

  async discard(): Promise<void> {
    this.stream.destroy();
    await rm(`${this.path}.part`, { force: true });
  }

  private async write(text: string): Promise<void> {
    this.waiting += text;
    if (this.waiting.length >= FLUSH_LENGTH) await this.flush();
  }

  private async flush(): Promise<void> {
    if (this.failure !== null) unwritable(this.failure);
    const text = this.waiting;
    this.waiting = '';
    if (!this.stream.write(text)) await once(this.stream, 'drain').catch(unwritable);
  }
}

function unwritable(error: Error): never {
  throw new ImportError('unreadable', `the report can't be written: ${error.message}`);
}
