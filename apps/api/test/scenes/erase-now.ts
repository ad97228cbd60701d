import { command as erase } from '#api/cli/users-erase.ts';
import type { Database } from '#api/database/database.ts';
import { runVerb } from '../run-verb.ts';

/** Erases a user with the operator CLI, without the days of grace. */
export const eraseNow = (database: Database, public_id: string) => runVerb(database, erase.run, [public_id, '--now']);
