import { type Algorithm, hash, verify } from '@node-rs/argon2';

const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 128;

/** OWASP's parameters for argon2id: 19 MiB, 2 passes, 1 lane. */
const ARGON2 = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The ones that come first in every list of leaked passwords, of at least the shortest allowed length. */
const COMMON = new Set(
  `12345678 123456789 1234567890 11111111 00000000 87654321 88888888 12341234 11223344 password password1 password12
  password123 passw0rd p@ssw0rd p@ssword qwertyui qwertyuiop qwerty123 qwerty12 1q2w3e4r 1qaz2wsx q1w2e3r4 asdfghjk
  asdfghjkl zxcvbnm1 abcd1234 abc12345 a1b2c3d4 abcdefgh iloveyou sunshine princess football baseball superman
  trustno1 welcome1 letmein1 whatever computer internet starwars michelle jennifer contraseña contrasena
  contraseña1 contrasena1 teamomucho tequieromucho barcelona realmadrid futbol123 mariposa estrella sendlap1 climbing
  swimming escalada natacion`.split(/\s+/),
);

export type PasswordProblem = 'password_short' | 'password_long' | 'password_common';

/** Length in code points, so that an emoji counts as one. `email` and its first part are no passwords either. */
export function findPasswordProblem(password: string, email: string): PasswordProblem | undefined {
  const length = [...password].length;
  if (length < MIN_PASSWORD_LENGTH) return 'password_short';
  if (length > MAX_PASSWORD_LENGTH) return 'password_long';
  const folded = password.toLowerCase();
  const [local_part] = email.toLowerCase().split('@');
  if (COMMON.has(folded) || folded === email.toLowerCase() || folded === local_part) return 'password_common';
  return new Set(folded).size < 3 ? 'password_common' : undefined;
}

/** argon2id in PHC form. Normalised, because keyboards write é in two ways. */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFKC'), ARGON2);
}

let nobody: Promise<string> | undefined;

/** Takes as long for an account that does not exist (`password_hash` undefined) as for one that does. */
export async function verifyPassword(password_hash: string | undefined, password: string): Promise<boolean> {
  nobody ??= hashPassword('the password of nobody');
  const matches = await verify(password_hash ?? (await nobody), password.normalize('NFKC'));
  return matches && password_hash !== undefined;
}
