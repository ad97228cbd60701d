import { createHmac, randomBytes, randomInt } from 'node:crypto';
import { hashToken } from '#api/platform/hash-token.ts';

const CODE_DIGITS = 8;
const TOKEN_BYTES = 32;
/** On a line of its own. */
const LINE = /^\ufeff?sendlap-claim=([\w-]{43})[ \t]*\r?$/gm;
/** Lines of a file that are looked at. */
const MAX_LINES = 50;

export interface ClaimSecret {
  /** To be shown or mailed once. */
  text: string;
  hash: Buffer;
}

/** A code of 8 digits. It is short, so its hash is keyed: the database alone does not reveal it. */
export function createCode(key: Buffer): ClaimSecret {
  const text = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
  return { text, hash: hashCode(text, key) };
}

/** As people type it: spaces and dashes do not count. */
export function hashCode(typed: string, key: Buffer): Buffer {
  return createHmac('sha256', key).update(typed.replace(/[\s-]/g, '')).digest();
}

/** A line for a file on a web site. */
export function createLine(): ClaimSecret {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { text: `sendlap-claim=${token}`, hash: hashToken(token) };
}

/** Returns the hashes of the tokens in a file. */
export function hashesInFile(text: string): Buffer[] {
  return [...text.matchAll(LINE)].slice(0, MAX_LINES).map(([, token = '']) => hashToken(token));
}
