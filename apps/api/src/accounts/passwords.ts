import { createHash } from 'node:crypto';
import { isCommonPassword } from './common-passwords.ts';
import { hashText, verifyHash } from './password-hash.ts';

const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 128;

export type PasswordProblem = 'password_short' | 'password_long' | 'password_common';

/** Counts code points, so that an emoji is one character. Also refuses `email` and its local part. */
export function findPasswordProblem(password: string, email: string): PasswordProblem | undefined {
  const length = [...password].length;
  if (length < MIN_PASSWORD_LENGTH) return 'password_short';
  if (length > MAX_PASSWORD_LENGTH) return 'password_long';
  const folded = password.toLowerCase();
  const [local_part] = email.toLowerCase().split('@');
  if (folded === email.toLowerCase() || folded === local_part) return 'password_common';
  return isCommonPassword(password) ? 'password_common' : undefined;
}

/** Returns the argon2id hash in PHC form. Normalises first, because keyboards write é in two ways. */
export function hashPassword(password: string): Promise<string> {
  return hashText(password.normalize('NFKC'));
}

/** Returns a stamp that differs for each password of an account and reveals neither: every hash has its own salt. */
export function passwordStamp(password_hash: string): string {
  return createHash('sha256').update(password_hash).digest('base64url');
}

let dummy_hash: Promise<string> | undefined;

/** Takes equally long for a missing account (`password_hash` undefined) and an existing one. */
export async function verifyPassword(password_hash: string | undefined, password: string): Promise<boolean> {
  dummy_hash ??= hashPassword('the password of an unknown account');
  const matches = await verifyHash(password_hash ?? (await dummy_hash), password.normalize('NFKC'));
  return matches && password_hash !== undefined;
}
