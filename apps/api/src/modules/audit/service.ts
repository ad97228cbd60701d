import type { Database, Trx } from '#api/database/database.ts';

/** What a person did with a right, or tried to. */
export type AuditAct =
  | 'operator_invited'
  | 'operator_invite_redeemed'
  | 'operator_invite_refused'
  | 'operator_granted'
  | 'operator_revoked'
  | 'server_updated'
  | 'area_load_requested'
  | 'area_load_cancelled'
  | 'area_load_done'
  | 'area_load_failed';

export interface AuditEntry {
  act: AuditAct;
  /** null: the operator CLI, or the server itself. */
  actor_id: string | null;
  /** The user whose right changes. An id in `details` would outlive an erasure. */
  subject_id?: string;
  details?: Record<string, unknown>;
}

/** Adds a line to the audit trail; in the transaction of what it tells about, where there is one. */
export async function recordAudit(executor: Database | Trx, { details = {}, ...entry }: AuditEntry): Promise<void> {
  await executor
    .insertInto('audit_entries')
    .values({ ...entry, details: JSON.stringify(details) })
    .execute();
}
