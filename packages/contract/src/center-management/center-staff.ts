import * as z from 'zod/mini';
import { endpoint } from '../wire/endpoint.ts';
import { Sport, Timestamp, Uuid } from '../wire/schemas.ts';

/** Who runs a center, its managers, and who confirms activities there: its referees and its kiosks. */
export const CenterStaff = z.object({
  managers: z.array(z.object({ public_id: z.string(), name: z.string(), granted_at: Timestamp })),
  referees: z.array(
    z.object({
      public_id: z.string(),
      name: z.string(),
      sport_types: z.array(Sport),
      /** null: until it is revoked. */
      valid_until: z.nullable(Timestamp),
    }),
  ),
  /** `last_used_at`: exact to five minutes. */
  kiosks: z.array(z.object({ id: Uuid, paired_at: Timestamp, last_used_at: Timestamp })),
});
export type CenterStaff = z.infer<typeof CenterStaff>;

/** A one-time invite to a right at a center. */
export const CenterInvite = z.object({
  /** As people read and type it: groups of four. */
  code: z.string(),
  /** Contains the code. */
  url: z.string(),
  expires_at: Timestamp,
});
export type CenterInvite = z.infer<typeof CenterInvite>;

const params = z.strictObject({ id: Uuid });
const INVITES_PER_HOUR = { max: 60, window_s: 3600 };

export const getCenterStaff = endpoint({
  method: 'GET',
  path: '/v1/sport-centers/:id/staff',
  summary: 'The managers, referees and kiosks of a center',
  access: 'manager',
  params,
  data: CenterStaff,
  errors: ['sport_center_not_found'],
});

export const inviteReferee = endpoint({
  method: 'POST',
  path: '/v1/sport-centers/:id/referees/invites',
  summary:
    'A one-time link that makes one user a referee of the center, for 24 hours; without sports, for all of its sports',
  access: 'manager',
  params,
  body: z.strictObject({ sport_types: z.optional(z.array(Sport).check(z.minLength(1), z.maxLength(10))) }),
  data: CenterInvite,
  status: 201,
  limit: INVITES_PER_HOUR,
  errors: ['sport_center_not_found', 'sport_center_closed', 'sport_not_offered'],
});

export const revokeReferee = endpoint({
  method: 'DELETE',
  path: '/v1/sport-centers/:id/referees/:public_id',
  summary: "End a user's right to confirm activities at the center, from now on; earlier decisions stay",
  access: 'manager',
  params: z.strictObject({ id: Uuid, public_id: z.string().check(z.maxLength(64)) }),
  data: CenterStaff,
  errors: ['sport_center_not_found', 'user_not_found'],
});

export const inviteManager = endpoint({
  method: 'POST',
  path: '/v1/sport-centers/:id/managers/invites',
  summary: 'A one-time link that makes one user a manager of the center, for 24 hours',
  access: 'manager',
  params,
  data: CenterInvite,
  status: 201,
  limit: INVITES_PER_HOUR,
  errors: ['sport_center_not_found', 'sport_center_closed'],
});

export const revokeManager = endpoint({
  method: 'DELETE',
  path: '/v1/sport-centers/:id/managers/:public_id',
  summary: 'Leave as a manager of the center, or as an operator end the right of any of its managers',
  access: 'manager',
  params: z.strictObject({ id: Uuid, public_id: z.string().check(z.maxLength(64)) }),
  data: CenterStaff,
  errors: ['sport_center_not_found', 'user_not_found', 'not_an_operator'],
});

export const inviteKiosk = endpoint({
  method: 'POST',
  path: '/v1/sport-centers/:id/kiosks/invites',
  summary: "A one-time code that makes one tablet the center's kiosk, for 24 hours",
  access: 'manager',
  params,
  data: CenterInvite,
  status: 201,
  limit: INVITES_PER_HOUR,
  errors: ['sport_center_not_found', 'sport_center_closed'],
});

export const revokeKiosks = endpoint({
  method: 'DELETE',
  path: '/v1/sport-centers/:id/kiosks',
  summary: 'End all kiosks of the center and the unused codes for more, at once',
  access: 'manager',
  params,
  data: CenterStaff,
  errors: ['sport_center_not_found'],
});
