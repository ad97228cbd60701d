import type { Database, Trx } from '#api/database/database.ts';

/** What a person did with a right, or tried to. */
export type AuditAct =
  | 'operator_invited'
  | 'operator_invite_redeemed'
  | 'operator_invite_refused'
  | 'operator_granted'
  | 'operator_revoked'
  | 'referee_invited'
  | 'referee_revoked'
  | 'kiosk_invited'
  | 'kiosks_revoked'
  | 'manager_invited'
  | 'manager_invite_redeemed'
  | 'manager_invite_refused'
  | 'manager_granted'
  | 'manager_revoked'
  | 'manager_left'
  | 'center_details_changed'
  | 'center_claim_begun'
  | 'center_claim_failed'
  | 'center_claim_proved'
  | 'center_claim_accepted'
  | 'center_claim_refused'
  | 'server_updated'
  | 'area_load_requested'
  | 'area_load_cancelled'
  | 'area_load_done'
  | 'area_load_failed'
  | 'street_load_requested'
  | 'street_load_cancelled'
  | 'street_load_done'
  | 'street_load_failed';

/** Acts of the server itself, unless the CLI did them: those have `by` in their details. */
const SERVER_ACTS: readonly AuditAct[] = [
  'operator_invited',
  'area_load_done',
  'area_load_failed',
  'street_load_done',
  'street_load_failed',
];
const CLI = 'operator CLI';

export interface AuditEntry {
  act: AuditAct;
  /** null: the operator CLI, or the server itself. */
  actor_id: string | null;
  /** The user whose right changes. An id in `details` would outlive an erasure. */
  subject_id?: string;
  details?: Record<string, unknown>;
}

/** An entry as an operator reads it. */
export interface ListedAuditEntry {
  /** ISO 8601. */
  at: string;
  /** A public id, `operator CLI` or `server`. */
  actor: string;
  act: AuditAct;
  /** The public id of the user whose right changes. */
  subject: string | null;
  details: Record<string, unknown>;
}

/** Adds a line to the audit trail; in the transaction of what it tells about, where there is one. */
export async function recordAudit(executor: Database | Trx, { details = {}, ...entry }: AuditEntry): Promise<void> {
  await executor
    .insertInto('audit_entries')
    .values({ ...entry, details: JSON.stringify(details) })
    .execute();
}

/** Returns the latest entries, newest first; erased users appear as `deleted-user`. */
export async function listAuditEntries(database: Database, limit: number): Promise<ListedAuditEntry[]> {
  const rows = await database
    .selectFrom('audit_entries')
    .leftJoin('users as actors', 'actors.id', 'audit_entries.actor_id')
    .leftJoin('users as subjects', 'subjects.id', 'audit_entries.subject_id')
    .select(['at', 'act', 'details', 'actors.public_id as actor', 'subjects.public_id as subject'])
    .orderBy('audit_entries.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ at, actor, subject, ...row }) => {
    const act = row.act as AuditAct;
    const { by, ...details } = row.details as Record<string, unknown>;
    const impersonal_actor = by !== CLI && SERVER_ACTS.includes(act) ? 'server' : CLI;
    return { at: at.toISOString(), actor: actor ?? impersonal_actor, act, subject, details };
  });
}
