import * as z from 'zod/mini';
import { endpoint } from '../wire/endpoint.ts';
import { page, Sport, Timestamp, Uuid } from '../wire/schemas.ts';

/** Longest message of a claimer to the operator. */
export const MAX_CLAIM_MESSAGE_LENGTH = 300;

/** How the caller can become a manager of a center. Without `mail` and `line`, only the operator decides. */
export const CenterClaim = z.object({
  center_name: z.string(),
  is_manager: z.boolean(),
  /** Another user manages it: a proof by mail or line is not enough. */
  has_manager: z.boolean(),
  /** A code is mailed to an address at this domain. `open_until`: of a mailed code. */
  mail: z.nullable(z.object({ domain: z.string(), open_until: z.nullable(Timestamp) })),
  /** A line in this file on the center's web site. `open_until`: of a line that was made. */
  line: z.nullable(z.object({ file_url: z.string(), open_until: z.nullable(Timestamp) })),
  /** What the caller asked the operator. */
  request: z.nullable(
    z.object({ message: z.string(), requested_at: Timestamp, status: z.enum(['waiting', 'refused']) }),
  ),
});
export type CenterClaim = z.infer<typeof CenterClaim>;

/** A line to be put into a file on the center's web site. */
export const ClaimLine = z.object({ line: z.string(), file_url: z.string(), expires_at: Timestamp });
export type ClaimLine = z.infer<typeof ClaimLine>;

/** A user who waits for the operator's yes. */
export const RequestedClaim = z.object({
  id: Uuid,
  sport_center_id: Uuid,
  center_name: z.string(),
  city: z.nullable(z.string()),
  url: z.nullable(z.string()),
  has_manager: z.boolean(),
  public_id: z.string(),
  name: z.string(),
  message: z.string(),
  requested_at: Timestamp,
});
export type RequestedClaim = z.infer<typeof RequestedClaim>;

/** The content of the poster for a center's entrance. */
export const CenterPoster = z.object({
  center_name: z.string(),
  sports: z.array(Sport),
  /** The center's page in the app. */
  url: z.string(),
  /** null: the operator has not named the server. */
  server_name: z.nullable(z.string()),
});
export type CenterPoster = z.infer<typeof CenterPoster>;

const params = z.strictObject({ id: Uuid });
const HOUR_S = 3600;

export const getCenterClaim = endpoint({
  method: 'GET',
  path: '/v1/sport-centers/:id/claim',
  summary: 'How I can become a manager of a center, and what I have begun',
  access: 'user',
  params,
  data: CenterClaim,
  errors: ['sport_center_not_found', 'sport_center_closed'],
});

export const sendClaimMail = endpoint({
  method: 'POST',
  path: '/v1/sport-centers/:id/claim/mail',
  summary: "Mail a one-time code, valid for 24 hours, to an address at the domain of the center's web site",
  access: 'user',
  params,
  body: z.strictObject({ email: z.string().check(z.maxLength(254)), language: z.enum(['en', 'es']) }),
  data: CenterClaim,
  status: 202,
  limit: { max: 20, window_s: HOUR_S },
  errors: [
    'sport_center_not_found',
    'sport_center_closed',
    'claim_way_unavailable',
    'claim_email_refused',
    'claim_mail_failed',
  ],
});

export const redeemClaimCode = endpoint({
  method: 'POST',
  path: '/v1/sport-centers/:id/claim/mail/code',
  summary: 'Become a manager of the center by the mailed code; five attempts a code',
  access: 'user',
  params,
  body: z.strictObject({ code: z.string().check(z.maxLength(32)) }),
  data: CenterClaim,
  limit: { max: 30, window_s: HOUR_S },
  errors: [
    'sport_center_not_found',
    'sport_center_closed',
    'claim_way_unavailable',
    'claim_unknown',
    'claim_code_wrong',
  ],
});

export const createClaimLine = endpoint({
  method: 'POST',
  path: '/v1/sport-centers/:id/claim/line',
  summary: "A one-time line for a file on the center's web site, valid for 7 days; it replaces an earlier one",
  access: 'user',
  params,
  data: ClaimLine,
  status: 201,
  limit: { max: 20, window_s: HOUR_S },
  errors: ['sport_center_not_found', 'sport_center_closed', 'claim_way_unavailable'],
});

export const checkClaimLine = endpoint({
  method: 'POST',
  path: '/v1/sport-centers/:id/claim/line/check',
  summary: "Become a manager of the center if the file on its web site contains the caller's line",
  access: 'user',
  params,
  data: CenterClaim,
  limit: { max: 20, window_s: HOUR_S },
  errors: [
    'sport_center_not_found',
    'sport_center_closed',
    'claim_way_unavailable',
    'claim_unknown',
    'claim_line_missing',
    'claim_site_unreadable',
  ],
});

export const requestClaim = endpoint({
  method: 'POST',
  path: '/v1/sport-centers/:id/claim/request',
  summary: 'Ask the operator to become a manager of the center; it replaces an earlier request',
  access: 'user',
  params,
  body: z.strictObject({
    message: z.string().check(z.minLength(1), z.maxLength(MAX_CLAIM_MESSAGE_LENGTH)),
  }),
  data: CenterClaim,
  status: 201,
  limit: { max: 10, window_s: 24 * HOUR_S },
  errors: ['sport_center_not_found', 'sport_center_closed'],
});

export const listClaims = endpoint({
  method: 'GET',
  path: '/v1/claims',
  summary: 'The users who wait for the yes of an operator, oldest first; at most 100',
  access: 'operator',
  data: page(RequestedClaim),
});

export const acceptClaim = endpoint({
  method: 'POST',
  path: '/v1/claims/:claim_id/accept',
  summary: 'Make the user of a claim a manager of its center',
  access: 'operator',
  params: z.strictObject({ claim_id: Uuid }),
  data: page(RequestedClaim),
  errors: ['claim_unknown', 'sport_center_closed'],
});

export const refuseClaim = endpoint({
  method: 'POST',
  path: '/v1/claims/:claim_id/refuse',
  summary: 'Refuse a claim; the user may ask again',
  access: 'operator',
  params: z.strictObject({ claim_id: Uuid }),
  data: page(RequestedClaim),
  errors: ['claim_unknown'],
});

export const getCenterPoster = endpoint({
  method: 'GET',
  path: '/v1/sport-centers/:id/poster',
  summary: "The content of the poster for the center's entrance",
  access: 'manager',
  params,
  data: CenterPoster,
  errors: ['sport_center_not_found'],
});
