import { createHash } from 'node:crypto';
import { type Algorithm, hash, verify } from '@node-rs/argon2';
import { isCommonPassword } from './common-passwords.ts';

const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 128;

/** OWASP's parameters for argon2id: 19 MiB, 2 passes, 1 lane. */
const ARGON2 = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

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
  return hash(password.normalize('NFKC'), ARGON2);
}

/** Tells one password of an account from the next, and nothing about either: the salt makes each hash another. */
export function passwordStamp(password_hash: string): string {
  return createHash('sha256').update(password_hash).digest('base64url');
}

let nobody: Promise<string> | undefined;

/** Takes as long for an account that does not exist (`password_hash` undefined) as for one that does. */
export async function verifyPassword(password_hash: string | undefined, password: string): Promise<boolean> {
  nobody ??= hashPassword('the password of nobody');
  const matches = await verify(password_hash ?? (await nobody), password.normalize('NFKC'));
  return matches && password_hash !== undefined;
}
