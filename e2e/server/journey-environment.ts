import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Code compiled at one server's start, which the next one reuses. */
export const COMPILE_CACHE = join(ROOT, '.cache/e2e-server');
/** Set by the global set-up: the address of the PostgreSQL that all servers of a run share. */
export const DATABASE_SERVER_VARIABLE = 'JOURNEY_DATABASE_SERVER';
