import type { Input } from './input.ts';
import { advance, afterValue, findErrorFrom, type JsonState, readToken, skipSpace } from './json-error.ts';
import { isRecord } from './json-record.ts';
import { TextWindow } from './text-window.ts';
import { ImportError } from './types.ts';

/** What a document says besides its records: the object with an empty list, and what had to be overlooked to read it. */
export type Head = { value: unknown; notes: string[] };

/** Whoever reads may skip the parsing of the records where only the head is wanted. */
export type ScanOptions = { parse: boolean; on_read?: (bytes: number) => void };

const LONGEST_TOKEN = 1024 * 1024;
const MAX_HEAD = 16 * 1024 * 1024;

/**
 * Reads a JSON document whose records stand in a list `features` or `elements` at its top, some records at a time, so
 * that its size does not matter; returns all else that the document says. Broken JSON is refused with line and column.
 * One slip is overlooked, with a note: a `;` after the end, which a JavaScript assignment leaves behind, because the
 * records before it are whole and deserve their own report.
 *
 * @throws ImportError `not_json`, or `unknown_format` for a document that is long without such a list
 */
export async function* scanDocument(input: Input, options: ScanOptions): AsyncGenerator<unknown[], Head> {
  const window = new TextWindow(input.open(), options.on_read ?? (() => {}));
  const state: JsonState = { open: [], expected: 'a value' };
  const head: string[] = [];
  let size = 0;
  try {
    while (true) {
      while (isInList(state, head)) {
        const values = await readSomeValues(window, state, options.parse);
        if (values.length === 0) break;
        yield values;
      }
      const token = await nextToken(window, state);
      if (token === null) break;
      const next = advance(token, state.expected, state.open);
      if (next === null) throw errorAt(window, state);
      window.at += token.length;
      // The commas between records go with them.
      if (!isInList(state, head) || token !== ',') head.push(token);
      state.expected = next;
      size += token.length;
      if (size > MAX_HEAD) throw unknownFormat();
    }
    return { value: JSON.parse(head.join('')), notes: overlooked(window) };
  } finally {
    await window.close();
  }
}

/** What a document says besides its records. @throws ImportError as `scanDocument` does */
export async function readHead(input: Input): Promise<Head> {
  const scan = scanDocument(input, { parse: false });
  let step = await scan.next();
  while (!step.done) step = await scan.next();
  return step.value;
}

export function unknownFormat(): ImportError {
  const reason = 'neither GeoJSON (an object with "features") nor Overpass JSON (an object with "elements")';
  return new ImportError('unknown_format', reason);
}

/** Right behind `{… "features": [`, where the tokens of the records are not kept. */
function isInList({ open }: JsonState, head: string[]): boolean {
  if (open.length !== 2 || open[0] !== '{' || open[1] !== '[' || head.at(-1) !== '[') return false;
  const key = head.at(-3);
  return key === '"features"' || key === '"elements"';
}

/** The next token, null at the end of the text (and at a lone `;` there). */
async function nextToken(window: TextWindow, state: JsonState): Promise<string | null> {
  while (true) {
    window.at = skipSpace(window.text, window.at);
    const token = readToken(window.text, window.at);
    // A token that touches the end of the window may go on behind it.
    if (window.ended || (token !== '' && window.at + token.length < window.text.length)) {
      if (token !== '') return token;
      const rest = window.text.slice(window.at).trim();
      if (state.expected === 'nothing more' && (rest === '' || rest === ';')) return null;
      throw errorAt(window, state);
    }
    const left = window.text.length - window.at;
    const isBroken =
      state.expected === 'nothing more' ? left > 0 && window.text[window.at] !== ';' : left > LONGEST_TOKEN;
    if (token === '' && isBroken) throw errorAt(window, state);
    await window.more();
  }
}

/** The records that the window holds whole, at least one where the list goes on with one. */
async function readSomeValues(window: TextWindow, state: JsonState, parse: boolean): Promise<unknown[]> {
  const values: unknown[] = [];
  let from: Stop = { at: -1, depth: 0 };
  while (state.expected.startsWith('a value') || state.expected.startsWith('","')) {
    window.at = skipSpace(window.text, window.at);
    const first = window.text[window.at];
    if (first === undefined && !window.ended) {
      if (values.length > 0) return values;
      await window.more();
    } else if (first === ',' && state.expected.startsWith('","')) {
      window.at += 1;
      state.expected = 'a value';
    } else if ((first === '{' || first === '[') && state.expected.startsWith('a value')) {
      from = closeOf(window.text, from.at === -1 ? { at: window.at, depth: 0 } : from);
      if (from.depth > 0) {
        if (window.ended || window.isFull) throw errorAt(window, state);
        // What comes has to be parsed at once then; until it is whole, what is whole is handed out.
        if (values.length > 0) return values;
        const start = window.at;
        await window.more();
        from.at -= start;
        continue;
      }
      values.push(await parseValue(window, from.at, state, parse));
      window.at = from.at;
      from = { at: -1, depth: 0 };
      state.expected = afterValue(state.open);
    } else if (state.expected.startsWith('a value') && first !== ']') {
      // Not a record, but perhaps a value: the reader refuses it by its place.
      const token = await nextToken(window, state);
      const next = token === null ? null : advance(token, state.expected, state.open);
      if (token === null || next === null) throw errorAt(window, state);
      values.push(JSON.parse(token));
      window.at += token.length;
      state.expected = next;
    } else break;
  }
  return values;
}

type Stop = { at: number; depth: number };

/** Goes from a bracket to behind the one that closes it; depth 0 = found, else where to go on with more text. */
function closeOf(text: string, from: Stop): Stop {
  let { at, depth } = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      const end = endOfString(text, at);
      if (end === -1) return { at, depth };
      at = end;
    } else if (code === 0x7b || code === 0x5b) depth += 1;
    else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
      if (depth === 0) return { at: at + 1, depth };
    }
  }
  return { at, depth };
}

/** The quote that ends the string that begins at `at`, -1 where the text ends before. */
function endOfString(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return -1;
}

async function parseValue(window: TextWindow, end: number, state: JsonState, parse: boolean): Promise<unknown> {
  if (!parse) return null;
  try {
    return JSON.parse(window.text.slice(window.at, end));
  } catch {
    // The message shows some characters behind the slip.
    if (!window.ended) await window.more();
    throw errorAt(window, state);
  }
}

function errorAt(window: TextWindow, state: JsonState): ImportError {
  const { position, expected } = findErrorFrom(window.text, window.at, state) ?? {
    position: window.text.length,
    expected: 'a value',
  };
  if (window.isFull && position >= window.text.length) return window.tooLong();
  const { line, column } = window.where(position);
  const where = `line ${line}, column ${column}`;
  if (window.ended && position >= window.text.trimEnd().length) {
    return new ImportError('not_json', `${where}: the file ends in the middle, it is truncated`, line);
  }
  const found = JSON.stringify(window.text.slice(position, position + 12).split('\n')[0]);
  return new ImportError('not_json', `${where}: ${expected} should stand here, not ${found}`, line);
}

function overlooked(window: TextWindow): string[] {
  const at = window.text.indexOf(';', window.at);
  return at === -1 ? [] : [`line ${window.where(at).line}: a ";" after the end of the JSON was overlooked`];
}

/**
 * Reads line-delimited JSON (also with the record separators of RFC 8142), some lines at a time.
 * @throws ImportError naming the line
 */
export async function* scanLines(input: Input, onRead: (bytes: number) => void = () => {}): AsyncGenerator<unknown[]> {
  const window = new TextWindow(input.open(), onRead);
  try {
    while (!window.ended) {
      await window.more();
      const values: unknown[] = [];
      const text = window.text;
      for (
        let end = text.indexOf('\n');
        end !== -1 || (window.ended && window.at < text.length);
        end = text.indexOf('\n', window.at)
      ) {
        const stop = end === -1 ? text.length : end;
        const line = text.slice(window.at, stop).replaceAll('\u001e', '').trim();
        if (line !== '') values.push(parseLine(line, window.where(window.at).line));
        window.at = Math.min(stop + 1, text.length);
      }
      if (values.length > 0) yield values;
    }
  } finally {
    await window.close();
  }
}

function parseLine(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    const { position, expected } = findErrorFrom(line, 0, { open: [], expected: 'a value' }) ?? {
      position: 0,
      expected: '',
    };
    const where = `line ${number}, column ${position + 1}`;
    if (position >= line.length) {
      return raise(`${where}: the file ends in the middle, it is truncated`, number);
    }
    return raise(
      `${where}: ${expected} should stand here, not ${JSON.stringify(line.slice(position, position + 12))}`,
      number,
    );
  }
}

function raise(message: string, line: number): never {
  throw new ImportError('not_json', message, line);
}

/** Whether the first line is a feature of its own and others follow: GeoJSON one feature a line. */
export async function isLineDelimited(input: Input): Promise<boolean> {
  const window = new TextWindow(input.open(), () => {});
  try {
    let [text, end] = ['', -1];
    while (end === -1 && !window.ended && !window.isFull) {
      await window.more();
      text = window.text.trimStart();
      end = text.indexOf('\n');
    }
    if (text === '' && window.ended) throw new ImportError('not_json', 'line 1, column 1: the file is empty', 1);
    if (end === -1 || !isFeature(text.slice(0, end))) return false;
    window.at = window.text.length - text.length + end;
    while (window.text.slice(window.at).trim() === '' && !window.ended) await window.more();
    return window.text.slice(window.at).trim() !== '';
  } finally {
    await window.close();
  }
}

function isFeature(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line.replaceAll('\u001e', ''));
    return isRecord(value) && value.type === 'Feature';
  } catch {
    return false;
  }
}
