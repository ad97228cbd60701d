import { type AuditAct, type AuditEntry, listAudit } from '@sendlap/contract/server-management/audit.ts';
import type { PersonRef } from '@sendlap/contract/server-management/people.ts';
import type { ParsedRequest } from '@sendlap/contract/wire/endpoint.ts';
import { sql } from 'kysely';
import type { Database, Trx } from '#api/database/database.ts';
import type { Route } from '#api/http/route.ts';
import { cursorInvalid } from '#api/platform/errors.ts';

export type { AuditAct };

/** Acts of the server itself, unless the CLI did them: those have `by` in their details. */
const SERVER_ACTS: readonly AuditAct[] = [
  'operator_invited',
  'area_load_done',
  'area_load_failed',
  'street_load_done',
  'street_load_failed',
];
const CLI = 'operator CLI';

export interface NewAuditEntry {
  act: AuditAct;
  /** null: the operator CLI, or the server itself. */
  actor_id: string | null;
  /** The user whose right changes. An id in `details` would outlive an erasure. */
  subject_id?: string;
  details?: Record<string, unknown>;
  /** Why, in the actor's words. It goes with the subject when that is erased. */
  reason?: string;
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
  reason: string | null;
}

/** Adds a line to the audit trail; in the transaction of what it tells about, where there is one. */
export async function recordAudit(executor: Database | Trx, { details = {}, ...entry }: NewAuditEntry): Promise<void> {
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
    .select(['at', 'act', 'details', 'reason', 'actors.public_id as actor', 'subjects.public_id as subject'])
    .orderBy('audit_entries.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ at, actor, subject, ...row }) => {
    const act = row.act as AuditAct;
    const { by, ...details } = row.details as Record<string, unknown>;
    const impersonal_actor = isActOfServer(act, by) ? 'server' : CLI;
    return { at: at.toISOString(), actor: actor ?? impersonal_actor, act, subject, details, reason: row.reason };
  });
}

interface AuditRow {
  id: number;
  at: Date;
  act: AuditAct;
  details: { by?: unknown; name?: unknown; failure?: unknown };
  reason: string | null;
  actor: PersonRef | null;
  subject: PersonRef | null;
  sport_center: AuditEntry['sport_center'];
}

/** Returns a page of the audit trail, newest first. Throws `cursor_invalid`. */
async function readAuditPage(
  database: Database,
  { limit, cursor }: ParsedRequest<typeof listAudit>['query'],
): Promise<{ items: AuditEntry[]; next_cursor: string | null }> {
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw cursorInvalid();
  const person = (name: string) => sql`
    case when ${sql.ref(`${name}.id`)} is not null then jsonb_build_object(
      'public_id', ${sql.ref(`${name}.public_id`)}, 'name', ${sql.ref(`${name}.name`)}) end`;
  // About a report, the report says whom it is about and why: the entry must not keep that beyond an erasure.
  const { rows } = await sql<AuditRow>`
    select e.id, e.at, e.act, e.details, coalesce(e.reason, r.outcome_reason) as reason,
      ${person('actor')} as actor, ${person('subject')} as subject,
      case when c.id is not null then jsonb_build_object('id', c.id, 'name', c.name) end as sport_center
    from audit_entries e
    left join reports r on r.id = (e.details ->> 'report_id')::uuid
    left join users actor on actor.id = e.actor_id
    left join users subject on subject.id = coalesce(e.subject_id, r.reported_id)
    left join sport_centers c on c.id = (e.details ->> 'sport_center_id')::uuid
    where ${cursor === undefined ? sql`true` : sql`e.id < ${cursor}::bigint`}
    order by e.id desc limit ${limit + 1}`.execute(database);
  const shown = rows.slice(0, limit);
  return {
    items: shown.map(toLine),
    next_cursor: rows.length > limit ? String(shown.at(-1)?.id) : null,
  };
}

export function mountAudit(route: Route, database: Database): void {
  route(listAudit, ({ query }) => readAuditPage(database, query));
}

function toLine({ id, at, act, details, reason, actor, subject, sport_center }: AuditRow): AuditEntry {
  const { by, name, failure } = details;
  const impersonal_kind = isActOfServer(act, by) ? 'server' : 'cli';
  const note = reason ?? failure ?? name;
  return {
    id,
    at: at.toISOString(),
    actor: { kind: actor ? 'person' : impersonal_kind, person: actor },
    act,
    subject,
    sport_center,
    note: typeof note === 'string' ? note : null,
  };
}

function isActOfServer(act: AuditAct, by: unknown): boolean {
  return by !== CLI && SERVER_ACTS.includes(act);
}
