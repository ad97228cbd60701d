import type { RefereeRight } from '@sendlap/contract/referees.ts';
import type { Database } from '#api/database/database.ts';
import { recordAudit } from '#api/modules/audit/service.ts';
import { invalidInvite, redeemInvite } from '#api/modules/invites/service.ts';
import {
  hadRightAt,
  insertRight,
  listOpenAppeals,
  listRefereedSports,
  listRefereesAt,
  listRights,
  type Right,
  type RightPeriod,
  revokeRights,
} from './store.ts';

const BY_INVITE = 'invite';

export type RefereeService = ReturnType<typeof createRefereeService>;

/** A right revoked later still counts for earlier scans. */
export function isValidAt({ valid_from, valid_until, revoked_at }: RightPeriod, at: Date): boolean {
  return valid_from <= at && (valid_until === null || at < valid_until) && (revoked_at === null || at < revoked_at);
}

export function createRefereeService(database: Database) {
  return {
    /** Lists the user's rights at the given moment, without those covered by another. */
    async listMyRefereeRights(user_id: string, at: Date): Promise<RefereeRight[]> {
      const rights = (await listRights(database, user_id)).filter((right) => isValidAt(right, at));
      return rights.filter((right, index) => !isCovered(right, index, rights)).map(present);
    },
    /** Returns the sports that have a referee at this center now. */
    sportsRefereedAt: (sport_center_id: string, now: Date) => listRefereedSports(database, sport_center_id, now),
    /** Lists the referees of this sport at this center at this moment, without locked accounts. */
    listReferees: listRefereesAt,
    /** The newest 50 appeals that this user may decide now, newest first. */
    listAppeals: (user_id: string, now: Date) => listOpenAppeals(database, user_id, now),
    /**
     * Makes the user a referee by a one-time code; the same code again returns the same right. Throws `invite_unknown`,
     * `invite_invalid`.
     */
    async redeemInvite(user_id: string, code: string, now: Date): Promise<RefereeRight> {
      const { used_at, sport_center_id } = await database.transaction().execute(async (trx) => {
        const invite = await redeemInvite(trx, { kind: 'referee', code, user_id }, now);
        if (!invite.is_repeat) {
          const { sport_types, right_until: valid_until } = invite;
          const period = { valid_from: now, valid_until };
          await insertRight(trx, {
            user_id,
            sport_center_id: invite.sport_center_id,
            sport_types,
            granted_by: BY_INVITE,
            ...period,
          });
        } else if (invite.used_by !== user_id) throw invalidInvite();
        return invite;
      });
      const granted = (await listRights(database, user_id)).find(
        (right) => right.sport_center_id === sport_center_id && right.valid_from.getTime() === used_at.getTime(),
      );
      // The right may have ended since; and a concurrent copy of this call may have made it just after this one began.
      if (!granted || !isValidAt(granted, used_at > now ? used_at : now)) throw invalidInvite();
      return present(granted);
    },
    /** Makes a user a referee, by the operator CLI. */
    grant: (right: Parameters<typeof insertRight>[1]) =>
      database.transaction().execute(async (trx) => {
        await insertRight(trx, right);
        const { user_id: subject_id, sport_center_id } = right;
        await recordAudit(trx, { act: 'referee_granted', actor_id: null, subject_id, details: { sport_center_id } });
      }),
    hadRight: (user_id: string, sport_center_id: string) => hadRightAt(database, user_id, sport_center_id),
    /**
     * Ends the rights at a moment, now or in the past; returns the number of rights ended. `actor_id` null: the operator
     * CLI.
     */
    revoke: (right: Parameters<typeof revokeRights>[1], actor_id: string | null) =>
      database.transaction().execute(async (trx) => {
        const revoked = await revokeRights(trx, right);
        const { user_id: subject_id, sport_center_id } = right;
        if (revoked > 0)
          await recordAudit(trx, { act: 'referee_revoked', actor_id, subject_id, details: { sport_center_id } });
        return revoked;
      }),
  };
}

/** Whether another right grants the same or more; of two equal rights the first one stays. */
function isCovered(right: Right, index: number, rights: Right[]): boolean {
  return rights.some((other, at) => at !== index && covers(other, right) && (at < index || !covers(right, other)));
}

function covers(wide: Right, narrow: Right): boolean {
  return (
    wide.sport_center_id === narrow.sport_center_id &&
    narrow.sport_types.every((sport) => wide.sport_types.includes(sport)) &&
    (wide.valid_until === null || (narrow.valid_until !== null && wide.valid_until >= narrow.valid_until))
  );
}

function present({ sport_center_id, sport_center_name, sport_types, valid_until }: Right): RefereeRight {
  return { sport_center_id, sport_center_name, sport_types, valid_until: valid_until?.toISOString() ?? null };
}
