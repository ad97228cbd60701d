import type { Report } from '@sendlap/contract/server-management/reports.ts';
import { type Selectable, sql } from 'kysely';
import { ACCOUNT_STATE } from '#api/database/account-state.ts';
import type { Database, Trx } from '#api/database/database.ts';
import type { Tables } from '#api/database/tables.ts';

/** As it was sent, without what an operator added. */
export type SentReport = Omit<ReportRow, 'handled_at' | 'handled_by' | 'outcome' | 'outcome_reason'>;
export type ReportRow = Selectable<Tables['reports']>;

/** Locks the user's row until the transaction ends. Returns false if the user does not exist (any longer). */
export async function lockReporter(trx: Trx, user_id: string): Promise<boolean> {
  const held = await trx.selectFrom('users').select('id').where('id', '=', user_id).forNoKeyUpdate().executeTakeFirst();
  return held !== undefined;
}

/** Returns false and writes nothing if the id is taken. */
export async function insertReport(trx: Trx, row: SentReport): Promise<boolean> {
  const inserted = await trx
    .insertInto('reports')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export function findReport(executor: Database | Trx, id: string): Promise<ReportRow | undefined> {
  return executor.selectFrom('reports').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Returns when the newest of the user's reports was made after skipping `skip`, if later than `since`. */
export async function findReportTime(
  trx: Trx,
  reporter_id: string,
  { since, skip }: { since: Date; skip: number },
): Promise<Date | undefined> {
  const row = await trx
    .selectFrom('reports')
    .select('created_at')
    .where('reporter_id', '=', reporter_id)
    .where('created_at', '>', since)
    .orderBy('created_at', 'desc')
    .offset(skip)
    .limit(1)
    .executeTakeFirst();
  return row?.created_at;
}

/** Returns how many of these messages are from the chat of the two. */
export async function countMessagesBetween(
  database: Database,
  people: [string, string],
  message_ids: string[],
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from messages m join chats c on c.id = m.chat_id
    where m.id = any(${message_ids}::uuid[])
      and c.user_low = least(${people[0]}::uuid, ${people[1]}::uuid)
      and c.user_high = greatest(${people[0]}::uuid, ${people[1]}::uuid)`.execute(database);
  return rows[0]?.count ?? 0;
}

/** A report as the operator CLI prints it: people by their public ids. */
export interface PrintedReport {
  id: string;
  /** ISO 8601. */
  created_at: string;
  reporter: string;
  reported: string;
  reason: string;
  text: string | null;
  /** In the order of the chat. */
  messages: { id: string; sender: string; text: string; created_at: string }[];
}

/** Newest first. */
export async function listReports(database: Database): Promise<PrintedReport[]> {
  const { rows } = await sql<Omit<PrintedReport, 'created_at'> & { created_at: Date }>`
    select r.id, r.created_at, reporter.public_id as reporter, reported.public_id as reported, r.reason, r.text,
      coalesce((
        select jsonb_agg(jsonb_build_object(
          'id', m.id, 'sender', sender.public_id, 'text', m.text,
          'created_at', to_char(m.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by m.seq)
        from messages m join users sender on sender.id = m.sender_id
        where m.id = any(r.message_ids)), '[]') as messages
    from reports r
    join users reporter on reporter.id = r.reporter_id
    join users reported on reported.id = r.reported_id
    order by r.created_at desc, r.id`.execute(database);
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
}

interface Selection {
  id?: string;
  status?: 'open' | 'handled';
  limit?: number;
  /** The id of the last report of the page before. */
  after?: string | undefined;
}

/** Reads reports as operators handle them, newest first. */
export async function readReports(database: Database, { id, status, limit = 1, after }: Selection): Promise<Report[]> {
  const conditions = [sql`true`];
  if (id !== undefined) conditions.push(sql`r.id = ${id}`);
  if (status === 'open') conditions.push(sql`r.handled_at is null`);
  if (status === 'handled') conditions.push(sql`r.handled_at is not null`);
  if (after !== undefined)
    conditions.push(sql`(r.created_at, r.id) < (select c.created_at, c.id from reports c where c.id = ${after})`);
  const { rows } = await sql<Omit<Report, 'created_at'> & { created_at: Date }>`
    select r.id, r.created_at, r.reason, r.text,
      jsonb_build_object('public_id', reporter.public_id, 'name', reporter.name) as reporter,
      jsonb_build_object('public_id', u.public_id, 'name', u.name,
        'state', ${ACCOUNT_STATE},
        'is_operator', exists (select from operators o where o.user_id = u.id),
        'reporters', (select count(distinct o.reporter_id) from reports o where o.reported_id = u.id)) as reported,
      coalesce((
        select jsonb_agg(jsonb_build_object(
          'id', m.id, 'is_of_reported', m.sender_id = r.reported_id, 'text', m.text,
          'created_at', ${isoTime('m.created_at')}) order by m.seq)
        from messages m where m.id = any(r.message_ids)), '[]') as messages,
      case when r.handled_at is not null then jsonb_build_object(
        'at', ${isoTime('r.handled_at')}, 'outcome', r.outcome, 'reason', r.outcome_reason,
        'by', jsonb_build_object('public_id', h.public_id, 'name', h.name)) end as handled
    from reports r
    join users reporter on reporter.id = r.reporter_id
    join users u on u.id = r.reported_id
    left join users h on h.id = r.handled_by
    where ${sql.join(conditions, sql` and `)}
    order by r.created_at desc, r.id desc limit ${limit}`.execute(database);
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
}

function isoTime(column: string) {
  return sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** Returns false and changes nothing if the report is closed. */
export async function closeReport(
  trx: Trx,
  id: string,
  handled: Required<Pick<ReportRow, 'handled_at' | 'handled_by' | 'outcome' | 'outcome_reason'>>,
): Promise<boolean> {
  const closed = await trx
    .updateTable('reports')
    .set(handled)
    .where('id', '=', id)
    .where('handled_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return closed !== undefined;
}
