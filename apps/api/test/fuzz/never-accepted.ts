import type { FuzzReport } from './play-requests.ts';

/** Operations of which no request is ever accepted, and why. */
const NEVER_ACCEPTED: Record<string, string> = {
  'POST /v1/auth/oauth/callback/cognito': 'needs the code of a sign-in: `npm run faults -- oauth`',
  'POST /oidc/token': 'needs the code of a sign-in and the secret of the server: `npm run faults -- oauth`',
  'POST /v1/manage/reviews/keep': 'needs a scanner who confirms suspiciously often: reviews.test.ts',
  'POST /v1/sport-centers/:id/claim/mail': 'needs a mail server: claims.test.ts',
  'POST /v1/sport-centers/:id/claim/line': 'needs a center with a web site: claims.test.ts',
  'GET /v1/tiles/streets/:z/:x/:file': 'needs loaded streets: tiles/streets.test.ts',
};

type Counts = FuzzReport['operations'];

/** Returns the operations that no request was made for. */
export function findUncalled(operations: readonly string[], counts: Counts): string[] {
  return operations
    .filter((operation) => counts[operation] === undefined)
    .map((operation) => `no request was made for ${operation}`);
}

/** Returns the operations of which no request was accepted: these met only the first checks. An exception too many counts. */
export function findUnaccepted(counts: Counts): string[] {
  const exceptions = Object.keys(NEVER_ACCEPTED).filter((operation) => counts[operation] === undefined);
  const wrong = Object.entries(counts)
    .filter(([operation, { accepted }]) => (accepted === 0) !== operation in NEVER_ACCEPTED)
    .map(([operation, { sent, accepted }]) => `${accepted} of ${sent} requests were accepted by ${operation}`);
  return [...exceptions.map((operation) => `an exception for no operation: ${operation}`), ...wrong];
}
