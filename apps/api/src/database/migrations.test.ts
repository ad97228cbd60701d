import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '#test/database/database.ts';
import type { Trx } from './database.ts';
import { DELETED_USER_ID } from './deleted-user.ts';
import { readMigration, readMigrationNames } from './migrations.ts';

let test_database: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  test_database = await openTestDatabase();
});
afterAll(() => test_database.close());

/** Runs a migration in a schema of its own, after `fill` has written rows by the schema before it. */
async function migrateRows(name: string, fill: (trx: Trx) => Promise<void>, read: (trx: Trx) => Promise<void>) {
  await test_database.database.transaction().execute(async (trx) => {
    await sql.raw('create schema earlier; set local search_path to earlier, public').execute(trx);
    for (const each of await readMigrationNames()) {
      if (each === name) await fill(trx);
      await sql.raw(await readMigration(each)).execute(trx);
      if (each === name) break;
    }
    await read(trx);
    await sql.raw('drop schema earlier cascade').execute(trx);
  });
}

test('earlier scans and withdrawals get the athlete whom the log of their scan names, and none otherwise', async () => {
  const [ada, bea, rex] = [randomUUID(), randomUUID(), randomUUID()];
  const [of_ada, of_both] = [randomUUID(), randomUUID()];
  const ops: [kind: string, activity_id: string, log_athlete_id: string | null, athlete_id: string | null][] = [
    ['scan', of_ada, ada, ada],
    ['withdraw', of_ada, null, ada],
    ['scan', of_both, ada, ada],
    ['scan', of_both, bea, bea],
    ['withdraw', of_both, null, null],
    ['scan', DELETED_USER_ID, DELETED_USER_ID, DELETED_USER_ID],
    ['withdraw', DELETED_USER_ID, null, DELETED_USER_ID],
    // A code that proved no athlete is logged with its scanner.
    ['scan', of_ada, rex, null],
    ['withdraw', randomUUID(), null, null],
    ['edit', of_ada, null, null],
  ];
  const rows = ops.map(([kind, activity_id, log_athlete_id]) => ({
    op_id: randomUUID(),
    kind,
    activity_id,
    log_athlete_id,
  }));
  const fill = async (trx: Trx) => {
    for (const id of [ada, bea, rex]) {
      await sql`insert into users (id, public_id, name) values (${id}, ${id.slice(0, 30)}, 'Test')`.execute(trx);
    }
    const json = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as row(op_id uuid, kind text, activity_id uuid, log_athlete_id uuid)`;
    await sql`
      insert into activity_ops (user_id, op_id, activity_id, kind, body_hash, outcome)
      select ${rex}, op_id, activity_id, kind, '', 'rejected' from ${json}`.execute(trx);
    await sql`
      insert into validation_log (athlete_id, activity_id, scanner_id, op_id, method, decision, outcome, scanned_at,
        clock_offset_ms, distance_class)
      select log_athlete_id, activity_id, ${rex}, op_id, 'referee', 'confirm', 'refused', now(), 0, 'unknown'
      from ${json} where log_athlete_id is not null`.execute(trx);
  };
  await migrateRows('002-athletes-of-scans', fill, async (trx) => {
    const { rows: found } = await sql<Record<'op_id' | 'athlete_id' | 'activity_id', string>>`
      select op_id, athlete_id, activity_id from activity_ops`.execute(trx);
    const byOpId = new Map(found.map((row) => [row.op_id, row]));
    const migrated = rows.map(({ op_id }) => byOpId.get(op_id));
    expect(migrated.map((row) => row?.athlete_id)).toEqual(ops.map(([, , , athlete_id]) => athlete_id));
    expect(migrated.map((row) => row?.activity_id)).toEqual(
      rows.map(({ kind, activity_id, op_id }, index) =>
        ['scan', 'withdraw'].includes(kind) && ops[index]?.[3] === null ? op_id : activity_id,
      ),
    );
  });
});

test('records of sign-ins under way get the account of their text, also those that an earlier version still writes', async () => {
  const ids = { login: randomUUID(), session: randomUUID(), code: randomUUID() };
  const payloads = {
    login: { result: { login: { accountId: ids.login } } },
    session: { session: { accountId: ids.session } },
    code: { accountId: ids.code },
    none: { params: { accountId: 'made up' } },
  };
  const addRecords = async (trx: Trx, prefix: string) => {
    for (const [name, payload] of Object.entries(payloads)) {
      await sql`
        insert into provider_records (model, id, payload, expires_at)
        values ('Interaction', ${prefix + name}, ${JSON.stringify(payload)}::jsonb, now() + interval '1 hour')`.execute(
        trx,
      );
    }
  };
  const fill = (trx: Trx) => addRecords(trx, 'earlier ');
  await migrateRows('003-accounts-of-provider-records', fill, async (trx) => {
    await addRecords(trx, 'later ');
    const { rows } = await sql<{ id: string; account_id: string | null }>`
      select id, account_id from provider_records`.execute(trx);
    const found = new Map(rows.map(({ id, account_id }) => [id, account_id]));
    for (const when of ['earlier', 'later']) {
      expect(Object.keys(payloads).map((name) => found.get(`${when} ${name}`))).toEqual([...Object.values(ids), null]);
    }
  });
});
