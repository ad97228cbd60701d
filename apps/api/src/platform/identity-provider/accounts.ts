import { randomUUID } from 'node:crypto';
import { cleanText } from '@sendlap/domain/names.ts';
import { sql } from 'kysely';
import { type Database, databaseErrorCode } from '../database.ts';
import { addressKey, createAttemptLimit } from './attempt-limit.ts';
import {
  findPasswordProblem,
  hashPassword,
  MAX_PASSWORD_LENGTH,
  type PasswordProblem,
  verifyPassword,
} from './passwords.ts';

const MAX_ATTEMPTS_PER_ACCOUNT = 5;
const MAX_ATTEMPTS_PER_ADDRESS = 20;
const MAX_EMAIL_LENGTH = 254;
export const MAX_DISPLAY_NAME_LENGTH = 40;
const EMAIL = /^[^\s@"(),:;<>[\]\\]+@[^\s@"(),:;<>[\]\\]+\.[^\s@"(),:;<>[\]\\]{2,}$/;
const UNIQUE_VIOLATION = '23505';

export interface ProviderAccount {
  id: string;
  email: string;
  display_name: string;
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
  signIn(input: { email: string; password: string; ip: string }): Promise<ProviderAccount | SignInProblem>;
  signUp(input: SignUpInput): Promise<ProviderAccount | SignUpProblem>;
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
  const columns = ['id', 'email', 'display_name'] as const;

  const findWithHash = (email: string) =>
    database
      .selectFrom('provider_accounts')
      .select([...columns, 'password_hash'])
      .where(sql`lower(email)`, '=', sql`lower(${email})`)
      .executeTakeFirst();

  return {
    find: (id) => database.selectFrom('provider_accounts').select(columns).where('id', '=', id).executeTakeFirst(),

    async signIn({ email, password, ip }) {
      const account_key = normalizeEmail(email).toLowerCase().slice(0, MAX_EMAIL_LENGTH);
      if (!per_address.take(addressKey(ip)) || !per_account.take(account_key)) return 'too_many_attempts';
      const account = isEmail(account_key) ? await findWithHash(account_key) : undefined;
      const tried = [...password].length > MAX_PASSWORD_LENGTH ? '' : password;
      if (!(await verifyPassword(account?.password_hash, tried)) || !account) return 'credentials_wrong';
      per_account.forget(account_key);
      return { id: account.id, email: account.email, display_name: account.display_name };
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
          .values({ ...account, password_hash })
          .execute();
        return account;
      } catch (error) {
        if (databaseErrorCode(error) === UNIQUE_VIOLATION) return 'email_taken';
        throw error;
      }
    },
  };
}

function normalizeEmail(email: string): string {
  return email.trim().normalize('NFC');
}

function isEmail(text: string): boolean {
  return text.length <= MAX_EMAIL_LENGTH && EMAIL.test(text) && cleanText(text) === text;
}

function findSignUpProblem({ email, display_name, password }: SignUpInput): SignUpProblem | undefined {
  if (!isEmail(email)) return 'email_invalid';
  if (display_name === '') return 'name_missing';
  if ([...display_name].length > MAX_DISPLAY_NAME_LENGTH) return 'name_long';
  return findPasswordProblem(password, email);
}
