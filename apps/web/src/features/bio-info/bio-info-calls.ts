import { type BioInfo, deleteBioInfo, readBioInfo, saveBioInfo, updateBioInfo } from '@sendlap/contract/bio-info.ts';
import { type BioInfoValues, changedBioInfo } from '@sendlap/domain/bio-info/bio-info-form.ts';
import type { Call } from '#web/shared/api/call.ts';
import { ApiError } from '#web/shared/api/errors.ts';

/** The texts of the spec (section 8) about body data; the screens translate them. */
export const BIO_INFO_MESSAGES = {
  checkFailed: 'Failed to check bio-info',
  saveFailed: 'Failed to save bio-info. Please check your internet connection.',
  signedOut: 'You must be authenticated to save bio-info',
} as const;
type BioInfoProblem = keyof typeof BIO_INFO_MESSAGES;

/** Reading or writing body data did not work; `cause` is what the request layer said. */
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

/** Somebody else wrote, or deleted, since the version that this device saw. */
export class BioInfoConflictError extends Error {}

const CONFLICTS: readonly (string | null)[] = ['bio_info_changed', 'bio_info_exists', 'bio_info_not_found'];

/** The calls about body data, in the words of the spec. All of them as `user_id` and as nobody else. */
export function createBioInfoCalls(call: Call, newKey: () => string) {
  /** A body that was not acknowledged is sent again with the key of the first time, so that it can't be there twice. */
  let unanswered: { body: string; key: string } | null = null;

  /** One key for one content, until the server has answered it. */
  function keyFor(body: object): string {
    const text = JSON.stringify(body);
    if (unanswered?.body !== text) unanswered = { body: text, key: newKey() };
    return unanswered.key;
  }

  async function send(user_id: string, base: BioInfo | null, values: BioInfoValues): Promise<BioInfo> {
    if (!base) return call(saveBioInfo, { body: values }, { idempotency_key: keyFor(values), only_as: user_id });
    const body = { updated_at: base.updated_at, ...changedBioInfo(base, values) };
    return call(updateBioInfo, { body }, { idempotency_key: keyFor(body), only_as: user_id });
  }

  return {
    /** Throws BioInfoNotFoundError (404), or BioInfoError 'checkFailed'. */
    async read(user_id: string): Promise<BioInfo> {
      try {
        return await call(readBioInfo, {}, { only_as: user_id });
      } catch (error) {
        const none = error instanceof ApiError && error.status === 404;
        throw none ? new BioInfoNotFoundError(error) : new BioInfoError('checkFailed', error);
      }
    },

    /**
     * Saves for the first time, or what differs from the version that is known (`base`).
     * Throws BioInfoConflictError when the server's version is another one, BioInfoError, or ApiError.
     */
    async write(user_id: string, base: BioInfo | null, values: BioInfoValues): Promise<BioInfo> {
      try {
        const bio_info = await send(user_id, base, values);
        unanswered = null;
        return bio_info;
      } catch (error) {
        throw asWriteError(error);
      }
    },

    /** Throws BioInfoError 'saveFailed', or ApiError. */
    async remove(user_id: string): Promise<void> {
      try {
        await call(deleteBioInfo, {}, { only_as: user_id });
      } catch (error) {
        throw asWriteError(error);
      }
    },
  };
}

/** No answer is a matter of the network; everything else the server says better itself. */
function asWriteError(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  if (CONFLICTS.includes(error.backend_error)) return new BioInfoConflictError();
  if (error.code === 'NETWORK_ERROR' || error.code === 'TIMEOUT') return new BioInfoError('saveFailed', error);
  return error;
}
