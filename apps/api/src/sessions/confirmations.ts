import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { PREPARED } from '../database/statement-pipeline.ts';
import type { VerifiedClaims } from './access-tokens.ts';

/**
 * Chromium writes cookies to disk every 30 s. A browser that dies before that comes back with the parent token,
 * although its access token was used: a use within this time proves nothing about the refresh token.
 */
const CONFIRM_AFTER_MS = 35_000;

type UsedClaims = Pick<VerifiedClaims, 'session_id' | 'generation' | 'issued_at_ms'>;

interface Confirmations {
  confirm(claims: UsedClaims): Promise<void>;
  /** Returns true if there is nothing to write now. */
  isUpToDate(claims: UsedClaims): boolean;
}

/**
 * Records that the browser kept a refresh token, which a request with its access token proves 35 s after issue or
 * later: from then on a use of the parent token is theft. Writes once per access token and node, as long as the claims
 * object is the same; a failed write is retried with the next request.
 */
export function createConfirmations(database: Database, now: () => number): Confirmations {
  /** The running write, then true. */
  const confirmed = new WeakMap<UsedClaims, Promise<void> | true>();

  async function write({ session_id, generation }: UsedClaims): Promise<void> {
    await sql`${PREPARED}
      update refresh_tokens set confirmed_at = ${new Date(now())}
      where session_id = ${session_id} and generation = ${generation} and confirmed_at is null`.execute(database);
  }

  function writeOnce(claims: UsedClaims): Promise<void> {
    const writing = write(claims).then(
      () => void confirmed.set(claims, true),
      (error: unknown) => {
        confirmed.delete(claims);
        throw error;
      },
    );
    confirmed.set(claims, writing);
    return writing;
  }

  // The first token of a family has no parent that could come back.
  const isInconclusive = ({ generation, issued_at_ms }: UsedClaims) =>
    generation === 0 || now() - issued_at_ms < CONFIRM_AFTER_MS;

  return {
    isUpToDate: (claims) => isInconclusive(claims) || confirmed.get(claims) === true,

    async confirm(claims) {
      if (!isInconclusive(claims)) await (confirmed.get(claims) ?? writeOnce(claims));
    },
  };
}
