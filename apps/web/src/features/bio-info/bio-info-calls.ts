import { type BioInfo, deleteBioInfo, getBioInfo, saveBioInfo, updateBioInfo } from '@sendlap/contract/bio-info.ts';
import { type BioInfoValues, diffBioInfo } from '@sendlap/domain/bio-info/bio-info-form.ts';
import type { Call } from '#web/shared/api/call.ts';
import { ApiError } from '#web/shared/api/errors.ts';

/** The spec's texts (section 8) about body data; the screens translate them. */
export const BIO_INFO_MESSAGES = {
  checkFailed: 'Failed to check bio-info',
  saveFailed: 'Failed to save bio-info. Please check your internet connection.',
  signedOut: 'You must be authenticated to save bio-info',
} as const;
type BioInfoProblem = keyof typeof BIO_INFO_MESSAGES;

/** Reading or writing body data failed; `cause` is the request layer's error. */
export class BioInfoError extends Error {
  readonly problem: BioInfoProblem;

  constructor(problem: BioInfoProblem, cause?: unknown) {
    super(BIO_INFO_MESSAGES[problem], { cause });
    this.name = 'BioInfoError';
    this.problem = problem;
  }
}

/** The server has no body data of this user: a first-time user. */
export class BioInfoNotFoundError extends Error {
  constructor(cause?: unknown) {
    super('Bio information not found for this user', { cause });
    this.name = 'BioInfoNotFoundError';
  }
}

/** Another tab or device wrote or deleted the body data since the version that this tab has. */
export class BioInfoConflictError extends Error {}

const CONFLICTS: readonly (string | null)[] = ['bio_info_changed', 'bio_info_exists', 'bio_info_not_found'];

/** The calls for body data, named as in the spec. Each is sent as `user_id` only. */
export function createBioInfoCalls(call: Call, newKey: () => string) {
  /** An unacknowledged body is retried with its first idempotency key, so that it can't be stored twice. */
  let unacknowledged: { body: string; key: string } | null = null;

  /** Returns the same key for the same content until the server has acknowledged it. */
  function idempotencyKeyFor(body: object): string {
    const text = JSON.stringify(body);
    if (unacknowledged?.body !== text) unacknowledged = { body: text, key: newKey() };
    return unacknowledged.key;
  }

  async function send(user_id: string, base: BioInfo | null, values: BioInfoValues): Promise<BioInfo> {
    if (!base)
      return call(
        saveBioInfo,
        { body: values },
        { idempotency_key: idempotencyKeyFor(values), expected_user_id: user_id },
      );
    const body = { updated_at: base.updated_at, ...diffBioInfo(base, values) };
    return call(updateBioInfo, { body }, { idempotency_key: idempotencyKeyFor(body), expected_user_id: user_id });
  }

  return {
    /** Throws BioInfoNotFoundError (404), or BioInfoError 'checkFailed'. */
    async read(user_id: string): Promise<BioInfo> {
      try {
        return await call(getBioInfo, {}, { expected_user_id: user_id });
      } catch (error) {
        const is_not_found = error instanceof ApiError && error.status === 404;
        throw is_not_found ? new BioInfoNotFoundError(error) : new BioInfoError('checkFailed', error);
      }
    },

    /**
     * Creates the body data, or updates the fields that differ from the known version (`base`). Throws
     * BioInfoConflictError if the server has another version, BioInfoError, or ApiError.
     */
    async write(user_id: string, base: BioInfo | null, values: BioInfoValues): Promise<BioInfo> {
      try {
        const bio_info = await send(user_id, base, values);
        unacknowledged = null;
        return bio_info;
      } catch (error) {
        throw toWriteError(error);
      }
    },

    /** Throws BioInfoError 'saveFailed', or ApiError. */
    async remove(user_id: string): Promise<void> {
      try {
        await call(deleteBioInfo, {}, { expected_user_id: user_id });
      } catch (error) {
        throw toWriteError(error);
      }
    },
  };
}

/** A missing response is a network problem ('saveFailed'); for any other error the server's own message is better. */
function toWriteError(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  if (CONFLICTS.includes(error.backend_error)) return new BioInfoConflictError();
  if (error.code === 'NETWORK_ERROR' || error.code === 'TIMEOUT') return new BioInfoError('saveFailed', error);
  return error;
}
