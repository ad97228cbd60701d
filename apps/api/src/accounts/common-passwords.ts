import { readFileSync } from 'node:fs';

const COMMON_PASSWORDS = new Set(
  readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .flatMap((line) => line.split(' '))
    .filter((word) => word !== ''),
);

/** Keyboard sequences, tried in both directions. */
const KEYBOARD_ROWS = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjkl',
];
const KEYBOARD_SEQUENCES = KEYBOARD_ROWS.flatMap((row) => [row, [...row].reverse().join('')]);

const LOOKALIKE_LETTERS: Record<string, string> = {
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
const MAX_ADDED_CHARACTERS = 4;
const MAX_REPEATED_UNIT = 4;
/** Rejects "aaaaaaab" and the like. */
const MIN_CHARACTERS = 3;

/**
 * Returns true for passwords that an attacker tries first: one of the list, also with digits for letters, with up to
 * four digits or signs around it, or repeated; a keyboard sequence; or the repetition of up to four characters.
 */
export function isCommonPassword(password: string): boolean {
  const folded = password.normalize('NFKC').toLowerCase();
  if (new Set(folded).size < MIN_CHARACTERS) return true;
  if (KEYBOARD_SEQUENCES.some((run) => run.includes(folded))) return true;
  const unit = /^(.+?)\1+$/s.exec(folded)?.[1];
  if (unit !== undefined && (unit.length <= MAX_REPEATED_UNIT || isListedWord(unit))) return true;
  return isListedWord(folded);
}

function isListedWord(text: string): boolean {
  if (COMMON_PASSWORDS.has(text) || COMMON_PASSWORDS.has(replaceLookalikes(text))) return true;
  const core = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  if (core === '' || text.length - core.length > MAX_ADDED_CHARACTERS) return false;
  return COMMON_PASSWORDS.has(core) || COMMON_PASSWORDS.has(replaceLookalikes(core));
}

function replaceLookalikes(text: string): string {
  return text.replaceAll(/[0134578@$!]/g, (sign) => LOOKALIKE_LETTERS[sign] ?? sign);
}
