import { command as invite_kiosk } from '#api/cli/kiosks-invite.ts';
import { command as revoke_kiosks } from '#api/cli/kiosks-revoke.ts';
import { command as invite_referee } from '#api/cli/referees-invite.ts';
import { command as revoke_referee } from '#api/cli/referees-revoke.ts';
import type { Database } from '#api/database/database.ts';
import { runVerb } from '../run-verb.ts';

/** Creates an invite with the operator CLI. Returns its code. */
export async function inviteReferee(database: Database, center: string, ...args: string[]): Promise<string> {
  const { stdout } = await runVerb(database, invite_referee.run, ['--center', center, '--json', ...args]);
  return JSON.parse(stdout).code;
}

/** As `inviteReferee`, for a tablet. */
export async function inviteKiosk(database: Database, center: string): Promise<string> {
  const { stdout } = await runVerb(database, invite_kiosk.run, ['--center', center, '--json']);
  return JSON.parse(stdout).code;
}

export const revokeReferee = (database: Database, public_id: string, center: string, ...args: string[]) =>
  runVerb(database, revoke_referee.run, [public_id, center, ...args]);

export const revokeKiosks = (database: Database, center: string) =>
  runVerb(database, revoke_kiosks.run, ['--center', center]);
