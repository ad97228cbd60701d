import type { Trx } from '#api/database/database.ts';
import type { AppError } from '#api/platform/errors.ts';
import { isStillPassword, type ProvenAccount } from './accounts.ts';

const PREFIX = 'pwd:';

/**
 * Which password was proven, as the authentication method ("amr") that the provider carries from its form through the
 * code into the ID token: only so does the callback know whether it was replaced on the way.
 */
export function amrOf({ password_stamp }: ProvenAccount): string[] {
  return [PREFIX + password_stamp];
}

/** The stamp in the `amr` claim; undefined when there is none. */
export function stampIn(amr: unknown): string | undefined {
  const methods: unknown[] = Array.isArray(amr) ? amr : [];
  const method = methods.find((each): each is string => typeof each === 'string' && each.startsWith(PREFIX));
  return method?.slice(PREFIX.length);
}

/** `Identity.confirm` of an own account; throws `refusal`. */
export function confirmPassword(account_id: string, password_stamp: string | undefined, refusal: () => AppError) {
  return async (trx: Trx): Promise<void> => {
    if (password_stamp === undefined || !(await isStillPassword(trx, account_id, password_stamp))) throw refusal();
  };
}
