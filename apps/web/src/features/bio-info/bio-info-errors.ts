/** The texts of the spec (section 8) about body data; the screens translate them. */
export const BIO_INFO_MESSAGES = {
  checkFailed: 'Failed to check bio-info',
  saveFailed: 'Failed to save bio-info. Please check your internet connection.',
  signedOut: 'You must be authenticated to save bio-info',
} as const;
export type BioInfoProblem = keyof typeof BIO_INFO_MESSAGES;

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
