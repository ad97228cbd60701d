import { randomUUID } from 'node:crypto';
import { cleanText, MAX_DISPLAY_NAME_LENGTH } from '@sendlap/domain/names.ts';
import { addressKey, createAttemptLimit } from '#api/platform/attempt-limit.ts';
import { type Database, databaseErrorCode, type Trx } from '#api/platform/database.ts';
import { emailKey, isEmail, normalizeEmail } from './email.ts';
import {
  findPasswordProblem,
  hashPassword,
  MAX_PASSWORD_LENGTH,
  type PasswordProblem,
  passwordStamp,
  verifyPassword,
} from './passwords.ts';

const MAX_ATTEMPTS_PER_ACCOUNT = 5;
const MAX_ATTEMPTS_PER_ADDRESS = 20;
/** When to come back after too many attempts: a whole window, so that it holds whoever asks. */
export const TOO_MANY_RETRY_S = 60;
const UNIQUE_VIOLATION = '23505';
const COLUMNS = ['id', 'email', 'display_name'] as const;

export interface ProviderAccount {
  id: string;
  email: string;
  display_name: string;
}

/** An account that somebody just proved to own. */
export interface ProvenAccount extends ProviderAccount {
  /** Of the password that was right: see `isStillPassword`. */
  password_stamp: string;
}

export type SignInProblem = 'too_many_attempts' | 'credentials_wrong';
export type SignUpProblem =
  | 'too_many_attempts'
  | 'email_invalid'
  | 'email_taken'
  | 'name_missing'
  | 'name_long'
  | PasswordProblem;

export interface Accounts {
  find(id: string): Promise<ProviderAccount | undefined>;
  /** `ip`: where the attempt comes from. One answer, in one time, for a wrong password and an unknown e-mail. */
  signIn(input: { email: string; password: string; ip: string }): Promise<ProvenAccount | SignInProblem>;
  signUp(input: SignUpInput): Promise<ProvenAccount | SignUpProblem>;
}

interface SignUpInput {
  email: string;
  display_name: string;
  password: string;
  ip: string;
}

/** Accounts of the own provider: e-mail and password. */
export function createAccounts(database: Database): Accounts {
  const per_account = createAttemptLimit(MAX_ATTEMPTS_PER_ACCOUNT);
  const per_address = createAttemptLimit(MAX_ATTEMPTS_PER_ADDRESS);

  return {
    find: (id) => database.selectFrom('provider_accounts').select(COLUMNS).where('id', '=', id).executeTakeFirst(),

    async signIn({ email, password, ip }) {
      const key = emailKey(email);
      if (!per_address.take(addressKey(ip)) || !per_account.take(key)) return 'too_many_attempts';
      const account = await findAccountByEmail(database, email);
      const tried = [...password].length > MAX_PASSWORD_LENGTH ? '' : password;
      if (!(await verifyPassword(account?.password_hash, tried)) || !account) return 'credentials_wrong';
      per_account.forget(key);
      const { password_hash, ...found } = account;
      return { ...found, password_stamp: passwordStamp(password_hash) };
    },

    async signUp(input) {
      const email = normalizeEmail(input.email);
      const display_name = cleanText(input.display_name).normalize('NFC');
      const problem = findSignUpProblem({ ...input, email, display_name });
      if (problem) return problem;
      if (!per_address.take(addressKey(input.ip))) return 'too_many_attempts';
      const account = { id: randomUUID(), email, display_name };
      try {
        const password_hash = await hashPassword(input.password);
        await database
          .insertInto('provider_accounts')
          .values({ ...account, password_hash, email_key: emailKey(email) })
          .execute();
        return { ...account, password_stamp: passwordStamp(password_hash) };
      } catch (error) {
        if (databaseErrorCode(error) === UNIQUE_VIOLATION) return 'email_taken';
        throw error;
      }
    },
  };
}

/** The account with this e-mail, in any letter case; undefined for text that is no e-mail. */
export async function findAccountByEmail(
  database: Database,
  email: string,
): Promise<(ProviderAccount & { password_hash: string }) | undefined> {
  if (!isEmail(normalizeEmail(email))) return undefined;
  return database
    .selectFrom('provider_accounts')
    .select([...COLUMNS, 'password_hash'])
    .where('email_key', '=', emailKey(email))
    .executeTakeFirst();
}

/**
 * Whether the account is there and has the password that was proven, until the transaction ends: a reset waits for it,
 * or it waits for the reset.
 */
export async function isStillPassword(trx: Trx, account_id: string, password_stamp: string): Promise<boolean> {
  const account = await trx
    .selectFrom('provider_accounts')
    .select('password_hash')
    .where('id', '=', account_id)
    .forShare()
    .executeTakeFirst();
  return account !== undefined && passwordStamp(account.password_hash) === password_stamp;
}

function findSignUpProblem({ email, display_name, password }: SignUpInput): SignUpProblem | undefined {
  if (!isEmail(email)) return 'email_invalid';
  if (display_name === '') return 'name_missing';
  if ([...display_name].length > MAX_DISPLAY_NAME_LENGTH) return 'name_long';
  return findPasswordProblem(password, email);
}
