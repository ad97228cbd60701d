import { ImportError } from './types.ts';

const SHOWN = 12;

/**
 * Like `JSON.parse`. @throws ImportError `not_json` with the line (counted from `first_line`) and column of the error
 */
export function parseJson(text: string, first_line = 1): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const position = positionOf(message, text);
    const lines = text.slice(0, position).split('\n');
    const line = first_line + lines.length - 1;
    const where = `line ${line}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
    if (text.trim() === '') throw new ImportError('not_json', `${where}: the file is empty`, line);
    if (position >= text.length) {
      throw new ImportError('not_json', `${where}: the file ends in the middle, it is truncated`, line);
    }
    const reason = message.replace(/(?: in JSON)? at position .*|, (?:\.{3})?".*/s, '');
    const found = JSON.stringify(text.slice(position, position + SHOWN).split('\n')[0]);
    throw new ImportError('not_json', `${where}: ${reason}, at ${found}`, line);
  }
}

/** V8 names the position of an error, shows the text around it, or says that the end came too soon. */
function positionOf(message: string, text: string): number {
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return Number(position);
  const [, token = '', excerpt = ''] =
    /^Unexpected token '(.+?)', (?:\.{3})?"(.*)"(?:\.{3})? is not valid JSON$/s.exec(message) ?? [];
  if (excerpt === '') return text.length;
  for (let from = text.indexOf(excerpt); from !== -1; from = text.indexOf(excerpt, from + 1)) {
    for (
      let at = text.indexOf(token, from);
      at !== -1 && at < from + excerpt.length;
      at = text.indexOf(token, at + 1)
    ) {
      if (isInvalidPrefix(text.slice(0, at + token.length))) return at;
    }
  }
  return text.length;
}

/** Whether the beginning of a text cannot become JSON, however it continues. */
function isInvalidPrefix(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return error instanceof Error && error.message.startsWith('Unexpected token');
  }
}
