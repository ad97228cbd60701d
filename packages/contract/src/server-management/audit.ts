import * as z from 'zod/mini';
import { endpoint } from '../wire/endpoint.ts';
import { Cursor, Limit, page, Timestamp, Uuid } from '../wire/schemas.ts';
import { PersonRef } from './people.ts';

/** What a person did with a right, or tried to. */
export const AUDIT_ACTS = [
  'operator_invited',
  'operator_invite_redeemed',
  'operator_invite_refused',
  'operator_granted',
  'operator_revoked',
  'referee_invited',
  'referee_granted',
  'referee_revoked',
  'kiosk_invited',
  'kiosks_revoked',
  'manager_invited',
  'manager_invite_redeemed',
  'manager_invite_refused',
  'manager_granted',
  'manager_revoked',
  'manager_left',
  'center_details_changed',
  'center_hours_changed',
  'center_claim_begun',
  'center_claim_failed',
  'center_claim_proved',
  'center_claim_accepted',
  'center_claim_refused',
  'server_updated',
  'area_load_requested',
  'area_load_cancelled',
  'area_load_done',
  'area_load_failed',
  'street_load_requested',
  'street_load_cancelled',
  'street_load_done',
  'street_load_failed',
  'user_created',
  'password_link_created',
  'user_suspended',
  'suspension_lifted',
  'erasure_requested',
  'report_dismissed',
  'report_upheld',
  'review_kept',
  'decision_withdrawn',
] as const;
export const AuditAct = z.enum(AUDIT_ACTS);
export type AuditAct = z.infer<typeof AuditAct>;

/** A line of the audit trail. */
export const AuditEntry = z.object({
  /** A later line has a higher number. */
  id: z.number(),
  at: Timestamp,
  /** `person` is null for the operator CLI and for the server. */
  actor: z.object({ kind: z.enum(['person', 'cli', 'server']), person: z.nullable(PersonRef) }),
  act: AuditAct,
  /** The user whom the act concerns. */
  subject: z.nullable(PersonRef),
  /** The center that the act concerns. */
  sport_center: z.nullable(z.object({ id: Uuid, name: z.string() })),
  /** The reason, a new name, or the cause of a failure. */
  note: z.nullable(z.string()),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

export const listAudit = endpoint({
  method: 'GET',
  path: '/v1/manage/audit',
  summary: 'Who did what with a right, newest first',
  access: 'operator',
  query: z.strictObject({ limit: Limit, cursor: Cursor }),
  data: page(AuditEntry),
  errors: ['cursor_invalid'],
});
