import { operationOf } from '../contract-endpoints.ts';
import { callersOf, expectedOf, ROWS } from './play.ts';

/** Changes that the matrix never sees succeed, and why. */
const NEVER_SUCCEEDING: Record<string, string> = {
  'POST /v1/auth/oauth/callback/cognito': 'needs an identity provider: `npm run faults -- oauth`',
  'POST /v1/manage/reviews/keep': 'needs a scanner who confirms suspiciously often: reviews.test.ts',
  'POST /v1/area-loads': 'would read from another server: area-loads.test.ts',
  'DELETE /v1/area-loads/:id': 'needs a load that reads from another server: area-loads.test.ts',
  'POST /v1/street-loads': 'would read from another server: street-loads.test.ts',
  'DELETE /v1/street-loads/:id': 'needs a load that reads from another server: street-loads.test.ts',
  'POST /v1/sport-centers/:id/claim/mail': 'needs a mail server: claims.test.ts',
  'POST /v1/sport-centers/:id/claim/mail/code': 'needs the code of a mail: claims.test.ts',
  'POST /v1/sport-centers/:id/claim/line': 'needs a center with a web site: claims.test.ts',
  'POST /v1/sport-centers/:id/claim/line/check': 'needs a center with a web site: claims.test.ts',
};

/**
 * Returns the changes that no cell expects to succeed: of these the refusals alone prove little. An exception that has
 * such a cell is returned too.
 */
export function findWithoutSuccess(rows = ROWS): string[] {
  const changes = rows.filter(({ endpoint }) => endpoint.method !== 'GET');
  const operations = new Set(changes.map(({ endpoint }) => operationOf(endpoint)));
  const succeeding = new Set(
    changes
      .filter((row) => callersOf(row).some((caller) => expectedOf(row, caller) === 'ok'))
      .map(({ endpoint }) => operationOf(endpoint)),
  );
  const named = new Set([...operations, ...Object.keys(NEVER_SUCCEEDING)]);
  return [...named].filter(
    (operation) => succeeding.has(operation) === operation in NEVER_SUCCEEDING || !operations.has(operation),
  );
}
