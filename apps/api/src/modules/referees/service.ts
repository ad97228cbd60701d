import type { RefereeRight } from '@sendlap/contract/referees.ts';
import type { Sport } from '@sendlap/domain/scoring.ts';
import type { Database, Trx } from '#api/platform/database.ts';
import { insertRight, listRights, type Right, revokeRights } from './store.ts';

export interface RefereeService {
  /** What this user may referee at the given moment. */
  listMyRefereeRights(user_id: string, at: Date): Promise<RefereeRight[]>;
  /** The sports that the user may confirm at this center at this moment; empty: no referee there. */
  sportsOf(trx: Trx, user_id: string, sport_center_id: string, at: Date): Promise<Sport[]>;
  grant(right: {
    user_id: string;
    sport_center_id: string;
    sport_types: Sport[];
    granted_by: string;
    valid_from: Date;
    valid_until: Date | null;
  }): Promise<void>;
  revoke(user_id: string, sport_center_id: string, now: Date): Promise<number>;
}

export function createRefereeService(database: Database): RefereeService {
  // A right that was revoked later still counts for the scans from before.
  const validAt = ({ valid_from, valid_until, revoked_at }: Right, at: Date) =>
    valid_from <= at && (valid_until === null || at < valid_until) && (revoked_at === null || at < revoked_at);
  return {
    async listMyRefereeRights(user_id, at) {
      const rights = (await listRights(database, user_id)).filter((right) => validAt(right, at));
      return rights.map((right) => ({
        sport_center_id: right.sport_center_id,
        sport_center_name: right.sport_center_name,
        sport_types: right.sport_types,
        valid_until: right.valid_until?.toISOString() ?? null,
      }));
    },
    async sportsOf(trx, user_id, sport_center_id, at) {
      const rights = await listRights(trx, user_id);
      return rights
        .filter((right) => right.sport_center_id === sport_center_id && validAt(right, at))
        .flatMap((right) => right.sport_types);
    },
    grant: (right) => insertRight(database, right),
    revoke: (user_id, sport_center_id, now) => revokeRights(database, user_id, sport_center_id, now),
  };
}
