import { gunzipSync } from 'node:zlib';
import { EXPORT_ACTIVITIES_PATH, EXPORT_PATH } from '@sendlap/contract/users.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DELETED_USER_ID } from '#api/database/deleted-user.ts';
import { PERSONAL_TABLES } from '#api/database/personal-data.ts';
import { createEventWriter } from '#api/events/events.ts';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { readAllTables } from '#test/database/all-tables.ts';
import { makeCenter } from '#test/factories.ts';
import { type FilledPerson, fillPerson, type Member, signInAgain } from '#test/scenes/filled-person.ts';
import { lockAccount } from './deletion.ts';
import { csvLine } from './export.ts';

type Row = Record<string, unknown>;

let api: TestApp;
let person: FilledPerson;
let center = '';
beforeAll(async () => {
  api = await buildTestApp({
    seed: async (database) => {
      center = await makeCenter(database);
      await sql`update sport_centers set name = '=cmd|"/c calc"!A1, Bilbao'`.execute(database);
    },
  });
  person = await fillPerson(api, center);
});
afterAll(() => api.close());

const download = (who: Pick<SignedIn, 'headers'> | undefined, url = EXPORT_PATH, accepted = 'identity') =>
  api.app.inject({ url, headers: { ...who?.headers, 'accept-encoding': accepted } });

/** Columns of a table that are never exported. Deliberately repeated here. */
const SECRETS: Record<string, string[]> = {
  center_claims: ['secret_hash'],
  refresh_tokens: ['token_hash', 'parent_hash'],
  provider_password_resets: ['token_hash'],
  provider_records: ['id', 'payload', 'grant_id', 'user_code', 'uid'],
  provider_accounts: ['password_hash'],
  devices: ['key_encrypted'],
  sessions: ['id_token'],
  invites: ['code_hash'],
  activity_ops: ['body_hash'],
  push_subscriptions: ['endpoint', 'p256dh', 'auth'],
  user_events: ['data'],
};

/** Hides other users in a row about me. */
function withoutOthers(table: string, row: Row, me: string): Row {
  if (table === 'validation_log') {
    return row.athlete_id === me
      ? { ...row, scanner_id: DELETED_USER_ID, op_id: DELETED_USER_ID, clock_offset_ms: null, clock_age_ms: null }
      : { ...row, athlete_id: DELETED_USER_ID, activity_id: DELETED_USER_ID };
  }
  if (table === 'waiting_scans') {
    return row.athlete_id === me
      ? { ...row, scanner_id: DELETED_USER_ID, op_id: DELETED_USER_ID, scan: null }
      : { ...row, athlete_id: DELETED_USER_ID, activity_id: DELETED_USER_ID, scan: null };
  }
  if (table === 'decisions') {
    return row.athlete_id === me
      ? { ...row, scanner_id: DELETED_USER_ID, op_id: null }
      : { ...row, athlete_id: DELETED_USER_ID, activity_id: DELETED_USER_ID, facts: null };
  }
  if (table === 'activities') {
    return row.user_id === me
      ? { ...row, decided_by: row.decided_by === null ? null : DELETED_USER_ID }
      : { ...row, user_id: DELETED_USER_ID };
  }
  if (table === 'messages' && row.sender_id !== me) return { ...row, sender_id: DELETED_USER_ID };
  if (table === 'chats') {
    const created_by = row.created_by === me ? me : DELETED_USER_ID;
    return { ...row, created_by, [row.user_low === me ? 'user_high' : 'user_low']: DELETED_USER_ID };
  }
  if (table === 'friendships') {
    return { ...row, [row.user_low === me ? 'user_high' : 'user_low']: DELETED_USER_ID };
  }
  if (table === 'friend_requests') {
    return { ...row, [row.sender_id === me ? 'receiver_id' : 'sender_id']: DELETED_USER_ID };
  }
  if (table === 'blocks') return { ...row, blocked_id: DELETED_USER_ID };
  if (table === 'reports')
    return { ...row, reported_id: DELETED_USER_ID, handled_by: DELETED_USER_ID, outcome_reason: null };
  if (table === 'kept_reviews') return { ...row, athlete_id: DELETED_USER_ID };
  if (table === 'audit_entries' && row.actor_id !== null && row.actor_id !== me)
    return { ...row, actor_id: DELETED_USER_ID };
  if (table === 'activity_ops' && row.athlete_id !== null) {
    return row.user_id === me
      ? { ...row, athlete_id: DELETED_USER_ID, activity_id: DELETED_USER_ID }
      : { ...row, user_id: DELETED_USER_ID, op_id: DELETED_USER_ID };
  }
  return row;
}

/** Rows about a user by brute force: rows whose text contains any of their ids. */
function rowsAbout(rows: Row[], ids: string[]): Row[] {
  return rows.filter((row) => ids.some((id) => JSON.stringify(row).includes(id)));
}

const sorted = (rows: Row[]) => rows.map((row) => JSON.stringify(row, Object.keys(row).sort())).sort();

/** Ids that identify Ada in rows. */
const idsOf = ({ canaries }: FilledPerson) =>
  Object.entries(canaries)
    .filter(([name]) => /^(user id|session|activity|identity)/.test(name))
    .map(([, id]) => id);

describe('refusals', () => {
  test.each([EXPORT_PATH, EXPORT_ACTIVITIES_PATH])('a caller without a token does not get %s', async (path) => {
    const reply = await download(undefined, path);
    expect([reply.statusCode, reply.json().code]).toEqual([401, 'unauthenticated']);
  });

  test('a third one of either kind within a day is refused with the time to wait; other users get theirs', async () => {
    const [cleo, dan] = [await api.signIn('Cleo'), await api.signIn('Dan')];
    expect((await download(cleo)).statusCode).toBe(200);
    expect((await download(cleo, EXPORT_ACTIVITIES_PATH)).statusCode).toBe(200);
    for (const path of [EXPORT_PATH, EXPORT_ACTIVITIES_PATH]) {
      const reply = await download(cleo, path);
      expect([reply.statusCode, reply.json().code]).toEqual([429, 'too_many_requests']);
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(86_000);
    }
    expect((await download(dan)).statusCode).toBe(200);
  });
});

describe('the archive', () => {
  test('of every table holds exactly the rows about me, with every value, without secrets and other people', async () => {
    const { ada } = person;
    // The request itself refreshes a row in the database, so make it once before the comparison.
    await download(ada);
    const reply = await download(ada);
    const archive = reply.json();
    const all = await readAllTables(api.database);
    // Events about Ada in other users' streams belong to them.
    all.user_events = (all.user_events ?? []).filter((row) => row.user_id === ada.user.id);
    // Ada must not learn who blocked or reported her, nor that anyone did: those rows must be missing.
    for (const [table, column, count] of [
      ['blocks', 'blocker_id', 2],
      ['reports', 'reporter_id', 3],
      ['kept_reviews', 'scanner_id', 2],
    ] as const) {
      const rows = all[table] ?? [];
      all[table] = rows.filter((row) => row[column] === ada.user.id);
      expect([rows.length, all[table].length], table).toEqual([count, 1]);
    }
    const chat_ids = rowsAbout(all.chats ?? [], [ada.user.id]).map((row) => String(row.id));
    const ids = [...idsOf(person), ...chat_ids];
    expect(Object.keys(archive.tables).sort()).toEqual(PERSONAL_TABLES.map(({ table }) => table as string).sort());
    for (const [table, rows] of Object.entries<Row[]>(archive.tables)) {
      const expected = rowsAbout(all[table] ?? [], ids).map((row) => {
        const shown = withoutOthers(table, row, ada.user.id);
        return Object.fromEntries(Object.entries(shown).filter(([column]) => !SECRETS[table]?.includes(column)));
      });
      expect(expected.length, table).toBeGreaterThan(0);
      expect(sorted(rows), table).toEqual(sorted(expected));
    }
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': 'attachment; filename="sendlap-export.json"',
      'cache-control': 'no-store',
      'content-length': String(Buffer.byteLength(reply.body)),
    });
    expect(archive).toMatchObject({ format_version: 1, exported_at: expect.stringMatching(/^20.*Z$/) });
  });

  test('holds nothing that leads to the people in its rows, and no secret', async () => {
    const { body } = await download(person.bea);
    const leading = (who: Member) => [who.user.id, who.user.public_id, who.user.name, who.email, who.device.key_id];
    for (const text of [...leading(person.ada), ...leading(person.rex)]) {
      // A referee's words about Ada are hers to read, whatever they contain.
      expect(body.replaceAll(`Seen by ${person.ada.user.name}`, '')).not.toContain(text);
    }
    expect(body).toContain(`Seen by ${person.ada.user.name}`);
    expect(body).not.toMatch(/argon2|\\\\x[0-9a-f]{8}/);
  });

  test('is whole for a user with more rows than a page of the cursor, and of one moment', async () => {
    const cleo = await api.signIn('Cleo');
    await sql`
      insert into user_events (user_id, seq, type, data)
      select ${cleo.user.id}, n, 'activity_changed', jsonb_build_object('n', n) from generate_series(1, 1500) n`.execute(
      api.database,
    );
    const { tables } = (await download(cleo)).json();
    expect(tables.user_events.map((row: { seq: number }) => row.seq).sort((a: number, b: number) => a - b)).toEqual(
      Array.from({ length: 1500 }, (_, index) => index + 1),
    );
    expect(tables.sessions).toHaveLength(1);
    expect(tables.activities).toEqual([]);
  });

  test('can be downloaded while the account is locked', async () => {
    const cleo = await api.signIn('Cleo');
    await lockAccount(createEventWriter(api.database), cleo.user.id, { now: new Date() });
    const reply = await download(await signInAgain(api, cleo.user.id, 'Phone'));
    expect(reply.json().tables.users).toMatchObject([{ id: cleo.user.id, is_active: false }]);
  });
});

describe('a file', () => {
  test.each([EXPORT_PATH, EXPORT_ACTIVITIES_PATH])('of %s is compressed for those who accept it', async (path) => {
    const cleo = await api.signIn('Cleo');
    const refused = await download(cleo, path, 'br, gzip;q=0');
    expect(refused.headers['content-encoding']).toBeUndefined();
    expect(refused.headers['content-length']).toBe(String(refused.rawPayload.length));
    const { headers, rawPayload } = await download(cleo, path, 'gzip');
    expect([headers['content-encoding'], headers['content-length']]).toEqual(['gzip', undefined]);
    const withoutTimes = (text: string) => text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)/g, 'time');
    expect(withoutTimes(String(gunzipSync(rawPayload)))).toBe(withoutTimes(refused.body));
  });
});

describe('the activities as CSV', () => {
  test('have a header line and a line each, and no cell that a spreadsheet would run', async () => {
    const reply = await download(person.rex, EXPORT_ACTIVITIES_PATH);
    expect(reply.body).toMatch(/^id,sport_type,sport_center_id,sport_center_name,started_at,[a-z_,]+\r\n$/);
    const { body, headers } = await download(person.bea, EXPORT_ACTIVITIES_PATH);
    const [activity] = await api.database
      .selectFrom('activities')
      .selectAll()
      .where('user_id', '=', person.bea.user.id)
      .execute();
    const [header, line, rest] = body.split('\r\n');
    expect(header?.split(',')).toHaveLength(16);
    expect(rest).toBe('');
    const start = `${activity?.id},climbing,${center},"'=cmd|""/c calc""!A1, Bilbao",${activity?.started_at.toISOString()},`;
    expect(line?.slice(0, start.length)).toBe(start);
    expect(line).toContain(`,validated,referee,,,${person.bea_points},60,met-2,`);
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="sendlap-activities.csv"',
      'cache-control': 'no-store',
    });
  });

  test.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@a', "'@a"],
    ['\t=1', "'\t=1"],
    ['a=1', 'a=1'],
    ['a,b', '"a,b"'],
    ['a"b', '"a""b"'],
    ['a\nb', '"a\nb"'],
    ['', ''],
    [null, ''],
    [-5, '-5'],
  ])('the cell %j is written as %j', (value, written) => {
    expect(csvLine([value])).toBe(`${written}\r\n`);
  });
});
