import type { Trx } from '#api/database/database.ts';
import type { AppError } from '#api/platform/errors.ts';
import { isPasswordUnchanged, type ProvenAccount } from './accounts.ts';

const PREFIX = 'pwd:';

/**
 * Returns a password stamp as the authentication method ("amr"), which the provider carries from its form through the
 * code into the ID token: only this tells the callback whether the password was replaced in between.
 */
export function toAmr({ password_stamp }: ProvenAccount): string[] {
  return [PREFIX + password_stamp];
}

/** Returns the stamp in the `amr` claim; undefined without one. */
export function readPasswordStamp(amr: unknown): string | undefined {
  const methods: unknown[] = Array.isArray(amr) ? amr : [];
  const method = methods.find((each): each is string => typeof each === 'string' && each.startsWith(PREFIX));
  return method?.slice(PREFIX.length);
}

/** Returns `Identity.recheck` of an own account. It throws the error of `createError`. */
export function createPasswordRecheck(
  account_id: string,
  password_stamp: string | undefined,
  createError: () => AppError,
) {
  return async (trx: Trx): Promise<void> => {
    if (password_stamp === undefined || !(await isPasswordUnchanged(trx, account_id, password_stamp)))
      throw createError();
  };
}
