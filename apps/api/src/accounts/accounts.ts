import { randomUUID } from 'node:crypto';
import { cleanText, MAX_DISPLAY_NAME_LENGTH } from '@sendlap/domain/names.ts';
import type { Database, Trx } from '#api/database/database.ts';
import type { Secrets } from '#api/database/secrets.ts';
import { addressKey, createAttemptLimit } from '#api/http/attempt-limit.ts';
import { emailKey, isEmail, normalizeEmail } from './email.ts';
import { createKnownDevices } from './known-devices.ts';
import {
  findPasswordProblem,
  hashPassword,
  MAX_PASSWORD_LENGTH,
  type PasswordProblem,
  passwordStamp,
  verifyPassword,
} from './passwords.ts';

const MAX_ATTEMPTS_PER_ACCOUNT = 5;
const MAX_FAILURES_PER_ADDRESS = 20;
/** Without mail. A class signs up behind one address; a stranger makes no accounts without end. */
const MAX_SIGN_UPS_PER_ADDRESS = 60;
/** Retry delay after too many attempts: a whole window, so that it is right for every caller. */
export const RATE_LIMIT_RETRY_AFTER_S = 60;
const COLUMNS = ['id', 'email', 'display_name'] as const;

export interface ProviderAccount {
  id: string;
  email: string;
  display_name: string;
}

export type StoredAccount = ProviderAccount & { password_hash: string };

/** An account whose owner just proved the password. */
export interface ProvenAccount extends ProviderAccount {
  /** Stamp of the password that was verified: see `isPasswordUnchanged`. */
  password_stamp: string;
  /** Cookie for the browser that verified the password: see `createKnownDevices`. */
  device_cookie: string;
}

export type SignInProblem = 'too_many_attempts' | 'credentials_wrong';
export type SignUpProblem =
  | 'too_many_attempts'
  | 'email_invalid'
  | 'email_taken'
  | 'name_missing'
  | 'name_long'
  | PasswordProblem;

export type Accounts = ReturnType<typeof createAccounts>;

/** Origin of an attempt. */
export interface AttemptOrigin {
  ip: string;
  device_cookie: string | undefined;
}

export interface SignInInput extends AttemptOrigin {
  email: string;
  password: string;
}

export interface NewAccount {
  email: string;
  display_name: string;
  password: string;
}

/** Accounts of our own provider: e-mail and password. */
export function createAccounts(database: Database, secrets: Secrets) {
  const createLimit = (name: string, max: number) => createAttemptLimit(database, { name, max });
  const per_account = createLimit('sign-in of an account', MAX_ATTEMPTS_PER_ACCOUNT);
  const per_device = createLimit('sign-in of a device', MAX_ATTEMPTS_PER_ACCOUNT);
  const per_address = createAddressLimit(database);
  const sign_ups_per_address = createLimit('sign-ups of an address', MAX_SIGN_UPS_PER_ADDRESS);
  const known_devices = createKnownDevices(secrets);
  const toProvenAccount = createProver(secrets);

  return {
    find: (id: string): Promise<ProviderAccount | undefined> =>
      database.selectFrom('provider_accounts').select(COLUMNS).where('id', '=', id).executeTakeFirst(),

    /**
     * Answers a wrong password and an unknown e-mail alike and in the same time. A browser that signed in to the
     * account before has its own attempts, which other visitors cannot use up.
     */
    async signIn({ email, password, ip, device_cookie }: SignInInput): Promise<ProvenAccount | SignInProblem> {
      const account = await findAccountByEmail(database, email);
      const device = account && known_devices.find(device_cookie, account);
      const [limit, key] = device === undefined ? [per_account, emailKey(email)] : [per_device, device];
      if (device === undefined && !(await per_address.tryConsume(ip))) return 'too_many_attempts';
      if (!(await limit.tryConsume(key))) return 'too_many_attempts';
      const candidate = [...password].length > MAX_PASSWORD_LENGTH ? '' : password;
      if (!(await verifyPassword(account?.password_hash, candidate)) || !account) return 'credentials_wrong';
      await limit.reset(key);
      if (device === undefined) await per_address.refund(ip);
      return toProvenAccount(account, device_cookie);
    },

    async signUp({ ip, device_cookie, ...input }: NewAccount & AttemptOrigin): Promise<ProvenAccount | SignUpProblem> {
      const isAllowed = async () =>
        (await sign_ups_per_address.tryConsume(addressKey(ip))) && (await per_address.tryConsume(ip));
      const account = await addAccount(database, input, isAllowed);
      if (typeof account === 'string') return account;
      await per_address.refund(ip);
      return toProvenAccount(account, device_cookie);
    },
  };
}

/**
 * Limits the sign-ins, sign-ups and new passwords of an IP address that fail: each costs a slow hash. One counts from
 * its begin; the caller refunds it after a success, so that a class behind one address does not have to wait.
 */
export function createAddressLimit(database: Database) {
  const limit = createAttemptLimit(database, { name: 'sign-in of an address', max: MAX_FAILURES_PER_ADDRESS });
  return {
    tryConsume: (ip: string) => limit.tryConsume(addressKey(ip)),
    refund: (ip: string) => limit.refund(addressKey(ip)),
  };
}

/** `device_cookie`: of the browser whose user just proved the password of this account. */
export function createProver(secrets: Secrets) {
  const known_devices = createKnownDevices(secrets);
  return ({ password_hash, ...account }: StoredAccount, device_cookie: string | undefined): ProvenAccount => ({
    ...account,
    password_stamp: passwordStamp(password_hash),
    device_cookie: known_devices.add(device_cookie, { ...account, password_hash }),
  });
}

/** Creates an account. `isAllowed` is asked once the form is valid, before anything is written. */
export async function addAccount(
  database: Database,
  input: NewAccount,
  isAllowed: () => Promise<boolean> = async () => true,
): Promise<StoredAccount | SignUpProblem> {
  const checked = checkSignUp(input);
  if (typeof checked === 'string') return checked;
  if (!(await isAllowed())) return 'too_many_attempts';
  const account = await prepareAccount(checked);
  return (await insertAccount(database, account)) ? account : 'email_taken';
}

/** Returns the input as an account holds it. */
export function checkSignUp(input: NewAccount): NewAccount | SignUpProblem {
  const email = normalizeEmail(input.email);
  const display_name = cleanText(input.display_name).normalize('NFC');
  const checked = { email, display_name, password: input.password };
  return findSignUpProblem(checked) ?? checked;
}

export async function prepareAccount({ password, ...rest }: NewAccount): Promise<StoredAccount> {
  return { id: randomUUID(), ...rest, password_hash: await hashPassword(password) };
}

/** Returns false if there is an account with this e-mail. */
export async function insertAccount(database: Database | Trx, account: StoredAccount): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await database
    .insertInto('provider_accounts')
    .values({ ...account, email_key: emailKey(account.email) })
    .onConflict((conflict) => conflict.column('email_key').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Returns the account with this e-mail in any letter case; undefined for text that is not an e-mail. */
export async function findAccountByEmail(database: Database, email: string): Promise<StoredAccount | undefined> {
  if (!isEmail(normalizeEmail(email))) return undefined;
  return database
    .selectFrom('provider_accounts')
    .select([...COLUMNS, 'password_hash'])
    .where('email_key', '=', emailKey(email))
    .executeTakeFirst();
}

/**
 * Returns whether the account exists and still has the proven password, and locks the row until the transaction ends: a
 * concurrent reset waits for it, or it waits for the reset.
 */
export async function isPasswordUnchanged(trx: Trx, account_id: string, password_stamp: string): Promise<boolean> {
  const account = await trx
    .selectFrom('provider_accounts')
    .select('password_hash')
    .where('id', '=', account_id)
    .forShare()
    .executeTakeFirst();
  return account !== undefined && passwordStamp(account.password_hash) === password_stamp;
}

function findSignUpProblem({ email, display_name, password }: NewAccount): SignUpProblem | undefined {
  if (!isEmail(email)) return 'email_invalid';
  if (display_name === '') return 'name_missing';
  if ([...display_name].length > MAX_DISPLAY_NAME_LENGTH) return 'name_long';
  return findPasswordProblem(password, email);
}
