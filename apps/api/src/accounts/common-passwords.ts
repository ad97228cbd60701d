import { readFileSync } from 'node:fs';

const LIST = new Set(
  readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .flatMap((line) => line.split(' '))
    .filter((word) => word !== ''),
);

/** Keyboard sequences, tried in both directions. */
const ROWS = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjkl',
];
const RUNS = ROWS.flatMap((row) => [row, [...row].reverse().join('')]);

const LETTER_OF: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
};
/** With more added characters a word counts as another password. */
const MAX_TRIMMINGS = 4;
const MAX_UNIT = 4;
/** Rejects "aaaaaaab" and the like. */
const MIN_CHARACTERS = 3;

/**
 * Returns true for passwords that an attacker tries first: one of the list, also with digits for letters, with up to
 * four digits or signs around it, or repeated; a keyboard sequence; or the repetition of up to four characters.
 */
export function isCommonPassword(password: string): boolean {
  const folded = password.normalize('NFKC').toLowerCase();
  if (new Set(folded).size < MIN_CHARACTERS) return true;
  if (RUNS.some((run) => run.includes(folded))) return true;
  const unit = /^(.+?)\1+$/s.exec(folded)?.[1];
  if (unit !== undefined && (unit.length <= MAX_UNIT || isWord(unit))) return true;
  return isWord(folded);
}

function isWord(text: string): boolean {
  if (LIST.has(text) || LIST.has(withLetters(text))) return true;
  const core = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  if (core === '' || text.length - core.length > MAX_TRIMMINGS) return false;
  return LIST.has(core) || LIST.has(withLetters(core));
}

function withLetters(text: string): string {
  return text.replaceAll(/[0134578@$!]/g, (sign) => LETTER_OF[sign] ?? sign);
}
