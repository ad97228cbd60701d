import * as z from 'zod/mini';

/**
 * Every error code of the server, with its HTTP status. 403 always means "sign in again", because clients of this wire
 * drop their token on any 403.
 */
export const ERROR_STATUS = {
  bad_request: 400,
  validation_failed: 400,
  unauthenticated: 401,
  reauthentication_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  expectation_failed: 417,
  idempotency_mismatch: 422,
  too_many_requests: 429,
  headers_too_large: 431,
  internal_error: 500,
  unavailable: 503,
  // sign-in
  oauth_state_invalid: 400,
  oauth_failed: 400,
  redirect_uri_not_allowed: 400,
  provider_unavailable: 503,
  origin_not_allowed: 400,
  refresh_invalid: 401,
  proof_expired: 425,
  credentials_wrong: 401,
  password_login_unavailable: 409,
  // account
  account_locked: 409,
  account_not_locked: 409,
  session_not_found: 404,
  bio_info_not_found: 404,
  bio_info_exists: 409,
  bio_info_changed: 409,
  public_id_taken: 409,
  presence_not_allowed: 409,
  boards_not_allowed: 409,
  location_unknown: 404,
  // centers
  sport_center_not_found: 404,
  sport_not_offered: 422,
  sport_center_closed: 422,
  cursor_invalid: 400,
  // activities
  activity_not_found: 404,
  activity_already_active: 409,
  activity_overlap: 409,
  activity_in_future: 422,
  activity_too_old: 422,
  activity_duration_invalid: 422,
  activity_not_finished: 409,
  activity_already_finished: 409,
  activity_already_validated: 409,
  activity_rejected: 409,
  activity_deleted: 409,
  activity_not_decided: 409,
  activity_not_rejected: 409,
  appeal_used: 409,
  // scans
  code_unreadable: 422,
  code_forged: 422,
  code_expired: 422,
  code_replayed: 422,
  code_kind_unsupported: 422,
  digits_unknown: 422,
  device_unknown: 422,
  device_limit_reached: 409,
  own_activity: 422,
  not_a_referee: 422,
  sport_not_refereed: 422,
  validation_window_closed: 422,
  scan_in_future: 422,
  clock_jumped: 422,
  pair_limit_reached: 422,
  referee_limit_reached: 422,
  payload_mismatch: 422,
  adjust_invalid: 422,
  scan_too_old: 422,
  device_revoked: 422,
  device_not_found: 404,
  activity_edited: 409,
  appeal_needs_another_referee: 422,
  decision_not_found: 404,
  decision_not_in_force: 409,
  decision_too_old: 422,
  scan_withdrawn: 409,
  peer_too_new: 422,
  peer_not_there: 422,
  peer_cannot_decide: 422,
  // venue and kiosk
  venue_code_late: 422,
  venue_other_center: 422,
  venue_scan_missing: 422,
  invite_unknown: 422,
  invite_invalid: 422,
  kiosk_unknown: 401,
  // operators
  not_an_operator: 422,
  not_a_manager: 422,
  town_unknown: 422,
  area_load_not_found: 404,
  area_too_large: 422,
  area_loads_restricted: 422,
  // people and chats
  user_not_found: 404,
  friend_request_not_found: 404,
  friend_request_decided: 409,
  friend_not_found: 404,
  cannot_befriend_self: 422,
  friend_limit_reached: 409,
  chat_not_found: 404,
  chat_closed: 409,
  message_empty: 422,
  message_too_long: 422,
  message_not_found: 404,
  report_text_too_long: 422,
  // notifications
  push_endpoint_refused: 422,
  push_subscription_not_found: 404,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof ERROR_STATUS;

export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(ERROR_STATUS, code);
}

/** The failure envelope. `error` repeats the message for clients that read that field. */
export const Failure = z.object({
  success: z.literal(false),
  message: z.string(),
  code: z.string(),
  details: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
  error: z.string(),
});
export type Failure = z.infer<typeof Failure>;
