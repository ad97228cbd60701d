import type { CenterInvite, CenterStaff } from '@sendlap/contract/center-management/center-staff.ts';
import { KIOSK_PATH } from '@sendlap/contract/wire/screens.ts';
import { encodeInviteCode, qrUrl } from '@sendlap/domain/qr-code.ts';
import type { Sport } from '@sendlap/domain/sports.ts';
import type { Database } from '#api/database/database.ts';
import { formatCode, type Invitation, inviteToCenter } from '#api/modules/invites/service.ts';
import { revokeKiosksAt } from '#api/modules/kiosks/service.ts';
import {
  isActiveManager,
  leaveOrRevokeManager,
  lockInviting,
  managerInviteUrl,
} from '#api/modules/managers/service.ts';
import type { OperatorService } from '#api/modules/operators/service.ts';
import type { RefereeService } from '#api/modules/referees/service.ts';
import { findUserByPublicId } from '#api/modules/users/service.ts';
import { AppError } from '#api/platform/errors.ts';
import { findStaffedCenter, listStaff, type StaffedCenter } from './store.ts';

export type CenterStaffService = ReturnType<typeof createCenterStaffService>;

interface Dependencies {
  database: Database;
  referees: Pick<RefereeService, 'revoke'>;
  operators: Pick<OperatorService, 'isOperator'>;
  public_url: string;
  now: () => Date;
}

/** Manages a center's managers, referees and kiosks. */
export function createCenterStaffService({ database, referees, operators, public_url, now }: Dependencies) {
  /** Throws `sport_center_not_found`. */
  async function getCenter(id: string): Promise<StaffedCenter> {
    const center = await findStaffedCenter(database, id);
    if (!center) throw new AppError('sport_center_not_found', 'No sport center has this id');
    return center;
  }

  /** Throws `sport_center_not_found`, `sport_center_closed`. */
  async function getOpenCenter(id: string): Promise<StaffedCenter> {
    const center = await getCenter(id);
    if (center.is_closed) throw new AppError('sport_center_closed', `${center.name} is closed`);
    return center;
  }

  const invite = (
    invitation: Pick<Invitation, 'kind' | 'sport_center_id' | 'sport_types'>,
    urlOf: (code: string) => string,
    actor_id: string,
  ) => makeInvite({ database, operators, now: now() }, invitation, { urlOf, actor_id });

  return {
    /** Throws `sport_center_not_found`. */
    async getStaff(id: string): Promise<CenterStaff> {
      await getCenter(id);
      return listStaff(database, id, now());
    },
    /** Throws `sport_center_not_found`, `sport_center_closed`, `sport_not_offered`. */
    async inviteReferee(id: string, sport_types: readonly Sport[] | undefined, actor_id: string) {
      const center = await getOpenCenter(id);
      const sports = sport_types ?? center.sports;
      const missing = sports.find((sport) => !center.sports.includes(sport));
      if (missing !== undefined || sports.length === 0)
        throw new AppError('sport_not_offered', `${center.name} does not offer ${missing ?? 'any sport'}`);
      const invitation = { kind: 'referee', sport_center_id: id, sport_types: [...new Set(sports)] } as const;
      return invite(invitation, (code) => qrUrl(public_url, encodeInviteCode(code)), actor_id);
    },
    /** Throws `sport_center_not_found`, `user_not_found`. A user without a right stays without one. */
    async revokeReferee(id: string, public_id: string, actor_id: string): Promise<CenterStaff> {
      await getCenter(id);
      const user = await findUserByPublicId(database, public_id);
      if (!user) throw new AppError('user_not_found', 'No user has this public id');
      await referees.revoke({ user_id: user.id, sport_center_id: id, at: now() }, actor_id);
      return listStaff(database, id, now());
    },
    /** Throws `sport_center_not_found`, `sport_center_closed`. */
    async inviteManager(id: string, actor_id: string) {
      await getOpenCenter(id);
      const invitation = { kind: 'manager', sport_center_id: id, sport_types: [] } as const;
      return invite(invitation, (code) => managerInviteUrl(public_url, id, code), actor_id);
    },
    /**
     * Throws `sport_center_not_found`, `user_not_found`, and `not_an_operator` if a manager ends the right of another
     * one. A user without a right stays without one.
     */
    async revokeManager(id: string, public_id: string, actor_id: string): Promise<CenterStaff> {
      await getCenter(id);
      const user = await findUserByPublicId(database, public_id);
      if (!user) throw new AppError('user_not_found', 'No user has this public id');
      if (user.id !== actor_id && !(await operators.isOperator(actor_id)))
        throw new AppError('not_an_operator', 'Only an operator of this server can end the right of another manager');
      await leaveOrRevokeManager(database, { user_id: user.id, sport_center_id: id }, actor_id);
      return listStaff(database, id, now());
    },
    /** Throws `sport_center_not_found`, `sport_center_closed`. */
    async inviteKiosk(id: string, actor_id: string) {
      await getOpenCenter(id);
      const invitation = { kind: 'kiosk', sport_center_id: id, sport_types: [] } as const;
      return invite(invitation, (code) => `${public_url}${KIOSK_PATH}#${formatCode(code)}`, actor_id);
    },
    /** Throws `sport_center_not_found`. */
    async revokeKiosks(id: string, actor_id: string): Promise<CenterStaff> {
      await getCenter(id);
      await revokeKiosksAt(database, { sport_center_id: id, now: now() }, actor_id);
      return listStaff(database, id, now());
    },
  };
}

/** Throws `not_a_manager`. */
async function makeInvite(
  { database, operators, now }: Pick<Dependencies, 'database' | 'operators'> & { now: Date },
  invitation: Pick<Invitation, 'kind' | 'sport_center_id' | 'sport_types'>,
  { urlOf, actor_id }: { urlOf: (code: string) => string; actor_id: string },
): Promise<CenterInvite> {
  const { sport_center_id } = invitation;
  const { code, expires_at } = await database.transaction().execute(async (trx) => {
    await lockInviting(trx, sport_center_id);
    // The right may have ended since the request began.
    const is_manager = await isActiveManager(trx, { user_id: actor_id, sport_center_id });
    if (!is_manager && !(await operators.isOperator(actor_id, trx)))
      throw new AppError('not_a_manager', 'Only a manager of this center can do this');
    return inviteToCenter(trx, { ...invitation, right_until: null }, actor_id, now);
  });
  return { code: formatCode(code), url: urlOf(code), expires_at: expires_at.toISOString() };
}
