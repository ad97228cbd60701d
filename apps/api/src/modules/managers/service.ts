import {
  listMyManagerRights,
  type ManagerRight,
  redeemManagerInvite,
} from '@sendlap/contract/center-management/managers.ts';
import { CENTER_MANAGEMENT_PATH } from '@sendlap/contract/wire/screens.ts';
import { sql } from 'kysely';
import type { Database, Trx } from '#api/database/database.ts';
import type { Route } from '#api/http/route.ts';
import { recordAudit } from '#api/modules/audit/service.ts';
import {
  formatCode,
  invalidInvite,
  inviteToCenter,
  redeemInvite,
  revokeUnusedInvites,
} from '#api/modules/invites/service.ts';
import { AppError } from '#api/platform/errors.ts';

export type ManagerService = ReturnType<typeof createManagerService>;

/** A user at a sport center. */
interface Right {
  user_id: string;
  sport_center_id: string;
}

/** Managers run a sport center. A right of a user at one center, not a kind of account. */
export function createManagerService(database: Database, now: () => Date = () => new Date()) {
  return {
    isManager: (user_id: string, sport_center_id: string) => isManager(database, { user_id, sport_center_id }),
    /** Lists the centers that the user manages, by name. */
    listRights: (user_id: string): Promise<ManagerRight[]> =>
      selectRights(database).where('user_id', '=', user_id).orderBy('sport_centers.name').execute(),
    /**
     * Makes the user a manager by a one-time code; the same code again returns the same right. Throws `invite_unknown`,
     * `invite_invalid`; a refusal is in the audit trail too.
     */
    async redeemInvite(user_id: string, code: string): Promise<ManagerRight> {
      try {
        return await database.transaction().execute(async (trx) => {
          const { sport_center_id, is_repeat, used_by } = await redeemInvite(
            trx,
            { kind: 'manager', code, user_id },
            now(),
          );
          const right = { user_id, sport_center_id };
          // A repeat does not restore a right that was revoked since.
          if (is_repeat && (used_by !== user_id || !(await isManager(trx, right)))) throw invalidInvite();
          if (!is_repeat) {
            await insertManager(trx, right);
            await recordAudit(trx, { act: 'manager_invite_redeemed', actor_id: user_id, details: { sport_center_id } });
          }
          return await selectRights(trx)
            .where('user_id', '=', user_id)
            .where('sport_center_id', '=', sport_center_id)
            .executeTakeFirstOrThrow();
        });
      } catch (error) {
        if (error instanceof AppError) {
          const details = { code: error.code };
          await recordAudit(database, { act: 'manager_invite_refused', actor_id: user_id, details });
        }
        throw error;
      }
    },
  };
}

export function mountManagers(route: Route, managers: ManagerService): void {
  route(listMyManagerRights, async (_input, { user_id }) => ({
    items: await managers.listRights(user_id),
    next_cursor: null,
  }));
  route(redeemManagerInvite, ({ body }, { user_id }) => managers.redeemInvite(user_id, body.code));
}

function selectRights(executor: Database | Trx) {
  return executor
    .selectFrom('managers')
    .innerJoin('sport_centers', 'sport_centers.id', 'managers.sport_center_id')
    .select(['sport_center_id', 'sport_centers.name as sport_center_name']);
}

async function isManager(executor: Database | Trx, { user_id, sport_center_id }: Right): Promise<boolean> {
  const right = await executor
    .selectFrom('managers')
    .select('user_id')
    .where('user_id', '=', user_id)
    .where('sport_center_id', '=', sport_center_id)
    .executeTakeFirst();
  return right !== undefined;
}

/** Throws `sport_center_not_found` if the database has no such center, closed or not. */
export async function assertCenterExists(database: Database, id: string): Promise<void> {
  const center = await database.selectFrom('sport_centers').select('id').where('id', '=', id).executeTakeFirst();
  if (!center) throw new AppError('sport_center_not_found', 'No sport center has this id');
}

/** Whether the user is a manager whose account is not locked. */
export async function isActiveManager(trx: Trx, { user_id, sport_center_id }: Right): Promise<boolean> {
  const right = await trx
    .selectFrom('managers')
    .innerJoin('users', 'users.id', 'managers.user_id')
    .select('user_id')
    .where('user_id', '=', user_id)
    .where('sport_center_id', '=', sport_center_id)
    .where('users.is_active', '=', true)
    .executeTakeFirst();
  return right !== undefined;
}

/** Returns false if the user is a manager of the center already. */
export async function insertManager(trx: Trx, right: Right): Promise<boolean> {
  const inserted = await trx
    .insertInto('managers')
    .values(right)
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Makes the user a manager, by the operator CLI. Returns false if the user was one already. */
export function grantManager(database: Database, right: Right): Promise<boolean> {
  return database.transaction().execute(async (trx) => {
    if (!(await insertManager(trx, right))) return false;
    const { user_id: subject_id, sport_center_id } = right;
    await recordAudit(trx, { act: 'manager_granted', actor_id: null, subject_id, details: { sport_center_id } });
    return true;
  });
}

/**
 * Ends the right, from the next request on, and the center's unused invites: the manager may have made them. Returns
 * false if the user was no manager of the center. `actor_id`: the manager, an operator, or null for the operator CLI.
 */
export function leaveOrRevokeManager(
  database: Database,
  { user_id, sport_center_id }: Right,
  actor_id: string | null,
): Promise<boolean> {
  const act = actor_id === user_id ? 'manager_left' : 'manager_revoked';
  return database.transaction().execute(async (trx) => {
    await lockInviting(trx, sport_center_id);
    if (!(await isManager(trx, { user_id, sport_center_id }))) return false;
    // Before the right, as a redemption does it: the other order would deadlock.
    await revokeUnusedInvites(trx, sport_center_id);
    const { numDeletedRows } = await trx
      .deleteFrom('managers')
      .where('user_id', '=', user_id)
      .where('sport_center_id', '=', sport_center_id)
      .executeTakeFirst();
    if (numDeletedRows === 0n) return false;
    await recordAudit(trx, { act, actor_id, subject_id: user_id, details: { sport_center_id } });
    return true;
  });
}

/** Serialises what makes and what ends a center's invites: after it, an inviter's right is checked again. */
export async function lockInviting(trx: Trx, sport_center_id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('center_invites'), hashtext(${sport_center_id}))`.execute(trx);
}

/** Ends the unused invites of all centers that the user manages: the user may have made them. */
export async function revokeInvitesOfManager(trx: Trx, user_id: string): Promise<void> {
  const rights = await trx
    .selectFrom('managers')
    .select('sport_center_id')
    .where('user_id', '=', user_id)
    .orderBy('sport_center_id')
    .execute();
  for (const { sport_center_id } of rights) {
    await lockInviting(trx, sport_center_id);
    await revokeUnusedInvites(trx, sport_center_id);
  }
}

/** A manager as the CLI lists them. */
export interface ListedManager {
  public_id: string;
  name: string;
  sport_center_id: string;
  sport_center_name: string;
  granted_at: Date;
  is_locked: boolean;
}

/** Returns the managers of one center or of all, those with a locked account included, by center. */
export async function listManagers(database: Database, sport_center_id?: string): Promise<ListedManager[]> {
  const all = selectRights(database)
    .innerJoin('users', 'users.id', 'managers.user_id')
    .select(['users.public_id', 'users.name', 'managers.granted_at', 'users.is_active'])
    .orderBy('sport_centers.name')
    .orderBy('sport_center_id')
    .orderBy('managers.granted_at')
    .orderBy('users.public_id');
  const rows = await (sport_center_id ? all.where('sport_center_id', '=', sport_center_id) : all).execute();
  return rows.map(({ is_active, ...manager }) => ({ ...manager, is_locked: !is_active }));
}

/** Returns a one-time address, valid for 24 hours, that makes the user who opens it a manager; by the operator CLI. */
export async function inviteManager(
  database: Database,
  { sport_center_id, public_url }: { sport_center_id: string; public_url: string },
  now: Date,
): Promise<{ code: string; url: string; expires_at: Date }> {
  const invitation = { kind: 'manager', sport_center_id, sport_types: [], right_until: null } as const;
  const { code, expires_at } = await database
    .transaction()
    .execute((trx) => inviteToCenter(trx, invitation, null, now));
  return { code, url: managerInviteUrl(public_url, sport_center_id, code), expires_at };
}

/** Returns the address of the center's page for managers, with the code of an invite. */
export function managerInviteUrl(public_url: string, sport_center_id: string, code: string): string {
  // In the fragment, which browsers keep out of requests and so out of logs.
  return `${public_url}${CENTER_MANAGEMENT_PATH.replace(':id', sport_center_id)}#${formatCode(code)}`;
}
