import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { RefusedError } from '#api/cli/command.ts';
import { isDatabaseUnavailable } from '#api/database/database.ts';
import { BackupRefused } from '#api/modules/backups/refusal.ts';
import { MIN_PASSPHRASE_LENGTH } from '#api/modules/backups/seal-secret.ts';
import { isDiskFull, toOneLine } from '#api/platform/start-error.ts';

/** The database has no room for another lock: to run the verb again does not help. */
const OUT_OF_LOCKS = '53200';
const KILOBYTE = 1e3;
const MEGABYTE = 1e6;
const number = new Intl.NumberFormat('en');

export function describeBackup({ bytes, tables, rows }: { bytes: number; tables: number; rows: number }): string {
  const size = bytes < MEGABYTE ? `${Math.ceil(bytes / KILOBYTE)} kB` : `${(bytes / MEGABYTE).toFixed(1)} MB`;
  return `${size}, ${number.format(rows)} rows of ${tables} tables`;
}

/**
 * Turns the refusal of a backup, a file system without room or rights, and a database that is lost or refuses on the way,
 * into one line for the operator.
 */
export async function refuseByMessage<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof BackupRefused) throw new RefusedError(error.message);
    if (isDiskFull(error)) throw new RefusedError('The disk is full: free some space.');
    // First: the file system and the socket of the database have codes in common, such as ENOENT.
    const { syscall, code, path } = error as NodeJS.ErrnoException;
    if (syscall !== undefined && path !== undefined)
      throw new RefusedError(`${path} cannot be read or written (${code}).`);
    if (isDatabaseUnavailable(error) && code !== OUT_OF_LOCKS)
      throw new RefusedError('The database cannot be reached any longer: run it again.');
    if (error instanceof pg.DatabaseError) throw new RefusedError(`The database refuses: ${toOneLine(error.message)}.`);
    throw error;
  }
}

interface Console {
  stdin?: NodeJS.ReadableStream & { isTTY?: boolean };
  stderr: NodeJS.WritableStream;
}

/**
 * Returns the passphrase: on a terminal one line, asked for and not shown, and twice for a new one; otherwise all of standard
 * input, without its final newline. Throws RefusedError if it is short, or two differ.
 */
export async function readPassphrase(
  { stdin = process.stdin, stderr }: Console,
  kind: 'new' | 'given' = 'given',
): Promise<string> {
  const passphrase = stdin.isTTY
    ? await askForPassphrase(stdin, stderr, kind)
    : (await text(stdin)).replace(/\r?\n$/, '');
  if (passphrase.length < MIN_PASSPHRASE_LENGTH)
    throw new RefusedError(`The passphrase has fewer than ${MIN_PASSPHRASE_LENGTH} characters.`);
  return passphrase;
}

async function askForPassphrase(stdin: NodeJS.ReadableStream, stderr: NodeJS.WritableStream, kind: 'new' | 'given') {
  if (kind === 'given') return readHiddenLine(stdin, stderr, 'Passphrase of the backup: ');
  const first = await readHiddenLine(stdin, stderr, `New passphrase, at least ${MIN_PASSPHRASE_LENGTH} characters: `);
  if (first === (await readHiddenLine(stdin, stderr, 'The same again: '))) return first;
  throw new RefusedError('The two passphrases differ: nothing was done.');
}

function readHiddenLine(
  stdin: NodeJS.ReadableStream,
  stderr: NodeJS.WritableStream,
  question: string,
): Promise<string> {
  stderr.write(question);
  // What readline would show goes nowhere.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: nowhere, terminal: true });
  return new Promise<string>((resolve, reject) => {
    lines.once('line', resolve);
    lines.once('SIGINT', () => lines.close());
    lines.once('close', () => reject(new RefusedError('No passphrase was given: nothing was done.')));
  }).finally(() => {
    lines.close();
    stderr.write('\n');
  });
}
