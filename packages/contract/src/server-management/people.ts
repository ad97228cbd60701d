import { cleanText, MAX_DISPLAY_NAME_LENGTH } from '@sendlap/domain/names.ts';
import * as z from 'zod/mini';
import { endpoint } from '../wire/endpoint.ts';
import { Cursor, Limit, page, Sport, Timestamp, Uuid } from '../wire/schemas.ts';

/** A user as an operator reads them. An erased user has the public id `deleted-user`. */
export const PersonRef = z.object({ public_id: z.string(), name: z.string() });
export type PersonRef = z.infer<typeof PersonRef>;

export const MAX_REASON_LENGTH = 300;
/** Why an operator does something; one line of visible characters. */
export const Reason = z.string().check(z.overwrite(cleanText), z.minLength(1), z.maxLength(MAX_REASON_LENGTH));

/**
 * `suspended`: locked by an operator until an operator lifts it. `leaving`: locked until it is erased, which its owner
 * can undo.
 */
export const AccountState = z.enum(['active', 'suspended', 'leaving']);
export type AccountState = z.infer<typeof AccountState>;

export const ListedPerson = z.object({
  ...PersonRef.shape,
  state: AccountState,
  is_operator: z.boolean(),
  /** Has the right of a referee at one center or more, now. */
  is_referee: z.boolean(),
  created_at: Timestamp,
});
export type ListedPerson = z.infer<typeof ListedPerson>;

export const Person = z.object({
  ...ListedPerson.shape,
  /** Empty if the identity provider did not say it. */
  email: z.string(),
  /** When a deleted account is erased: a `leaving` one, or a suspended one whose owner deleted it. */
  erase_after: z.nullable(Timestamp),
  /** Whether this server keeps the password, so that a link can replace it. */
  has_password: z.boolean(),
  referee_at: z.array(
    z.object({
      sport_center_id: Uuid,
      sport_center_name: z.string(),
      sport_types: z.array(Sport),
      /** null: until it is revoked. */
      valid_until: z.nullable(Timestamp),
    }),
  ),
});
export type Person = z.infer<typeof Person>;

/** A one-time address to hand over. */
export const OneTimeLink = z.object({ url: z.string(), expires_at: Timestamp });
export type OneTimeLink = z.infer<typeof OneTimeLink>;

export const PeopleFilter = z.enum(['operators', 'referees', 'suspended']);
export type PeopleFilter = z.infer<typeof PeopleFilter>;

const params = z.strictObject({ public_id: z.string().check(z.maxLength(64)) });
const LINKS_PER_HOUR = { max: 60, window_s: 3600 };

export const listPeople = endpoint({
  method: 'GET',
  path: '/v1/manage/people',
  summary: 'The users, newest first; `q` is a part of the name or the public id, or a whole e-mail address',
  access: 'operator',
  query: z.strictObject({
    q: z.optional(z.string().check(z.maxLength(100))),
    only: z.optional(PeopleFilter),
    limit: Limit,
    cursor: Cursor,
  }),
  data: page(ListedPerson),
  errors: ['cursor_invalid'],
});

export const getPerson = endpoint({
  method: 'GET',
  path: '/v1/manage/people/:public_id',
  summary: 'A user and their rights',
  access: 'operator',
  params,
  data: Person,
  errors: ['user_not_found'],
});

export const createPerson = endpoint({
  method: 'POST',
  path: '/v1/manage/people',
  summary: 'Make an account with an e-mail address, and a one-time link with which its owner chooses the password',
  access: 'operator',
  body: z.strictObject({
    email: z.string().check(z.minLength(1), z.maxLength(254)),
    name: z.string().check(z.overwrite(cleanText), z.minLength(1), z.maxLength(MAX_DISPLAY_NAME_LENGTH)),
  }),
  data: z.object({ person: Person, password_link: OneTimeLink }),
  status: 201,
  limit: LINKS_PER_HOUR,
  errors: ['email_taken', 'password_login_unavailable'],
});

export const createPasswordLink = endpoint({
  method: 'POST',
  path: '/v1/manage/people/:public_id/password-link',
  summary: 'A one-time link with which the owner of the account chooses a new password, for 24 hours',
  access: 'operator',
  params,
  data: OneTimeLink,
  status: 201,
  limit: LINKS_PER_HOUR,
  errors: ['user_not_found', 'password_login_unavailable'],
});

export const inviteOperator = endpoint({
  method: 'POST',
  path: '/v1/manage/operators/invites',
  summary: 'A one-time address that makes the user who opens it an operator, for 24 hours',
  access: 'operator',
  data: OneTimeLink,
  status: 201,
  limit: LINKS_PER_HOUR,
});

export const grantOperator = endpoint({
  method: 'PUT',
  path: '/v1/manage/people/:public_id/operator',
  summary: 'Make a user an operator',
  access: 'operator',
  params,
  data: Person,
  errors: ['user_not_found', 'conflict'],
});

export const revokeOperator = endpoint({
  method: 'DELETE',
  path: '/v1/manage/people/:public_id/operator',
  summary: "End an operator's right and all unused invites; the last operator keeps it",
  access: 'operator',
  params,
  data: Person,
  errors: ['user_not_found', 'last_operator'],
});

export const suspendPerson = endpoint({
  method: 'PUT',
  path: '/v1/manage/people/:public_id/suspension',
  summary: 'Lock an account until an operator lifts it, and sign it out everywhere; not of an operator',
  access: 'operator',
  params,
  body: z.strictObject({ reason: Reason }),
  data: Person,
  errors: ['user_not_found', 'user_is_operator'],
});

export const liftSuspension = endpoint({
  method: 'DELETE',
  path: '/v1/manage/people/:public_id/suspension',
  summary: 'Unlock a suspended account',
  access: 'operator',
  params,
  data: Person,
  errors: ['user_not_found'],
});

export const erasePerson = endpoint({
  method: 'POST',
  path: '/v1/manage/people/:public_id/erasure',
  summary: 'Lock an account and erase it after 7 days, unless its owner undoes it; not of an operator',
  access: 'operator',
  params,
  body: z.strictObject({ reason: Reason }),
  data: Person,
  errors: ['user_not_found', 'user_is_operator'],
});
