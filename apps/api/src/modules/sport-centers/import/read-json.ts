import { findJsonError } from './json-error.ts';
import { ImportError } from './types.ts';

/** Parsed text plus what had to be overlooked to parse it. */
export type ParsedJson = { value: unknown; notes: string[] };

/**
 * JSON.parse whose failure names line and column. One slip is overlooked, with a note: a `;` after the end, which a
 * JavaScript assignment leaves behind, because the features before it are whole and deserve their own report.
 *
 * @throws ImportError `not_json`
 */
export function readJson(text: string): ParsedJson {
  const clean = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const whole = tryParse(clean);
  if (whole !== undefined) return { value: whole, notes: [] };
  const bare = clean.replace(/;\s*$/, '');
  const value = bare.length < clean.length ? tryParse(bare) : undefined;
  if (value === undefined) throw jsonError(clean, 1);
  return { value, notes: [`line ${lineAt(clean, bare.length)}: a ";" after the end of the JSON was overlooked`] };
}

/** Reads line-delimited JSON (also with the record separators of RFC 8142). @throws ImportError naming the line. */
export function readJsonLines(text: string): unknown[] {
  const values: unknown[] = [];
  for (const [at, raw] of text.split('\n').entries()) {
    const line = raw.replaceAll('\u001e', '').trim();
    if (line === '') continue;
    const value = tryParse(line);
    if (value === undefined) throw jsonError(line, at + 1);
    values.push(value);
  }
  return values;
}

/** `undefined` is no JSON value, so it can stand for "not JSON". */
function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function jsonError(text: string, firstLine: number): ImportError {
  const { position, expected } = findJsonError(text) ?? { position: text.length, expected: 'a value' };
  const line = firstLine - 1 + lineAt(text, position);
  const column = position - text.lastIndexOf('\n', position - 1);
  const where = `line ${line}, column ${column}`;
  if (position >= text.trimEnd().length) {
    return new ImportError('not_json', `${where}: the file ends in the middle, it is truncated`, line);
  }
  const found = JSON.stringify(text.slice(position, position + 12).split('\n')[0]);
  return new ImportError('not_json', `${where}: ${expected} should stand here, not ${found}`, line);
}

function lineAt(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < position; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
