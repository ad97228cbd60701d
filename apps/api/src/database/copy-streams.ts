import { once } from 'node:events';
import { type Duplex, Readable } from 'node:stream';
import type pg from 'pg';

/** PostgreSQL sends each row as a message of its own; so many bytes of them become one chunk. */
const CHUNK_BYTES = 262_144;

/** The part of `pg`'s connection that its types leave out. */
interface CopyConnection {
  stream: Duplex;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

interface CommandComplete {
  /** `COPY` and the number of rows. */
  text: string;
}

const countRows = ({ text }: CommandComplete): number => Number(/^COPY (\d+)/.exec(text)?.[1] ?? 0);

/** The rows of a COPY … TO STDOUT statement. `row_count` is complete at the end of the stream. */
export interface CopyOut extends Readable {
  row_count: number;
}

/** Runs a COPY … TO STDOUT on a connection without `pipeline`. A stream that is not read holds the connection up. */
export function copyOut(client: pg.Client, text: string): CopyOut {
  return client.query(new CopyOutQuery(text) as CopyOutQuery & pg.Submittable);
}

class CopyOutQuery extends Readable implements CopyOut {
  row_count = 0;
  readonly #text: string;
  #connection: CopyConnection | undefined;
  #chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  #filled = 0;

  constructor(text: string) {
    super({ highWaterMark: 4 * CHUNK_BYTES });
    this.#text = text;
  }

  submit(connection: unknown): void {
    this.#connection = connection as CopyConnection;
    this.#connection.query(this.#text);
  }

  /** `pg` reuses the memory of the message. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.#filled + chunk.length > CHUNK_BYTES) this.#flush();
    if (chunk.length > CHUNK_BYTES) this.#emit(Buffer.from(chunk));
    else this.#filled += chunk.copy(this.#chunk, this.#filled);
  }

  handleCommandComplete(message: CommandComplete): void {
    this.row_count = countRows(message);
  }

  handleReadyForQuery(): void {
    this.#flush();
    this.push(null);
    // The last chunk may have paused it.
    this.#connection?.stream.resume();
  }

  handleError(error: Error): void {
    this.destroy(error);
  }

  override _read(): void {
    this.#connection?.stream.resume();
  }

  #flush(): void {
    if (this.#filled === 0) return;
    this.#emit(this.#chunk.subarray(0, this.#filled));
    this.#chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    this.#filled = 0;
  }

  #emit(chunk: Buffer): void {
    if (!this.push(chunk)) this.#connection?.stream.pause();
  }
}

/**
 * Runs a COPY … FROM STDIN on a connection without `pipeline`. Returns the number of rows. Throws the database's error, or
 * that of the chunks; the transaction is void then.
 */
export function copyIn(client: pg.Client, text: string, chunks: AsyncIterable<Buffer>): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const stop = new AbortController();
  let row_count = 0;
  let chunk_error: unknown;

  const send = async (connection: CopyConnection) => {
    try {
      for await (const chunk of chunks) {
        if (stop.signal.aborted) return;
        connection.sendCopyFromChunk(chunk);
        if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain', { signal: stop.signal });
      }
      connection.endCopyFrom();
    } catch (error) {
      if (stop.signal.aborted) return;
      chunk_error = error;
      connection.sendCopyFail('the rows could not be read');
    }
  };
  const query = {
    submit: (connection: unknown) => (connection as CopyConnection).query(text),
    handleCopyInResponse: (connection: CopyConnection) => void send(connection),
    handleCommandComplete(message: CommandComplete) {
      row_count = countRows(message);
    },
    handleReadyForQuery: () => resolve(row_count),
    handleError(error: Error) {
      stop.abort();
      reject(chunk_error ?? error);
    },
  };
  client.query(query);
  return promise;
}
