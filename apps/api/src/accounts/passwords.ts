import { createHash } from 'node:crypto';
import { isCommonPassword } from './common-passwords.ts';
import { hashText, isHashOf } from './password-hash.ts';

const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 128;

export type PasswordProblem = 'password_short' | 'password_long' | 'password_common';

/** Length in code points, so that an emoji counts as one. `email` and its first part are no passwords either. */
export function findPasswordProblem(password: string, email: string): PasswordProblem | undefined {
  const length = [...password].length;
  if (length < MIN_PASSWORD_LENGTH) return 'password_short';
  if (length > MAX_PASSWORD_LENGTH) return 'password_long';
  const folded = password.toLowerCase();
  const [local_part] = email.toLowerCase().split('@');
  if (folded === email.toLowerCase() || folded === local_part) return 'password_common';
  return isCommonPassword(password) ? 'password_common' : undefined;
}

/** argon2id in PHC form. Normalised, because keyboards write é in two ways. */
export function hashPassword(password: string): Promise<string> {
  return hashText(password.normalize('NFKC'));
}

/** Tells one password of an account from the next, and nothing about either: the salt makes each hash another. */
export function passwordStamp(password_hash: string): string {
  return createHash('sha256').update(password_hash).digest('base64url');
}

let hash_of_unknown: Promise<string> | undefined;

/** Takes as long for an account that does not exist (`password_hash` undefined) as for one that does. */
export async function verifyPassword(password_hash: string | undefined, password: string): Promise<boolean> {
  hash_of_unknown ??= hashPassword('the password of an unknown account');
  const matches = await isHashOf(password_hash ?? (await hash_of_unknown), password.normalize('NFKC'));
  return matches && password_hash !== undefined;
}
