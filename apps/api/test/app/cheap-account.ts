import { randomUUID } from 'node:crypto';
import { checkSignUp, insertAccount, type NewAccount, type StoredAccount } from '#api/accounts/accounts.ts';
import { hashText } from '#api/accounts/password-hash.ts';
import type { Database } from '#api/database/database.ts';

/** The least that argon2 takes: a hash names its cost, so the sign-in that verifies it is as cheap. */
const CHEAP = { memory: 8, passes: 1, parallelism: 1, tagLength: 32 };

/**
 * Creates an account as `addAccount` does, with a password hash that costs nothing: for tests whose subject is not the
 * password. Throws for a form that the sign-up refuses and for an e-mail that has an account.
 */
export async function addCheapAccount(database: Database, input: NewAccount): Promise<StoredAccount> {
  const checked = checkSignUp(input);
  if (typeof checked === 'string') throw new Error(checked);
  const { password, ...rest } = checked;
  const account = { id: randomUUID(), ...rest, password_hash: await hashText(password.normalize('NFKC'), CHEAP) };
  if (!(await insertAccount(database, account))) throw new Error('email_taken');
  return account;
}
