import { getMe, refresh } from '@sendlap/contract/auth.ts';
import { deleteMe, getDeletion, restoreMe } from '@sendlap/contract/users.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addAccount } from '#api/accounts/accounts.ts';
import { OWN_ISSUER_KEY } from '#api/accounts/identity.ts';
import { DELETED_USER_ID } from '#api/database/deleted-user.ts';
import { createEventWriter } from '#api/events/events.ts';
import type { PeriodicJob } from '#api/platform/periodic-job.ts';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { columnsHolding, readAllTables, rowsHolding } from '#test/database/all-tables.ts';
import { countWaiting } from '#test/database/lock-waits.ts';
import {
  type FilledPerson,
  fillPerson,
  type Member,
  openPlace,
  pointsOf,
  send,
  signInAgain,
} from '#test/scenes/filled-person.ts';
import { lockAccount } from './deletion.ts';
import { eraseUser } from './erase-user.ts';
import { createErasureJob } from './erasure.ts';
import { createUserService } from './service.ts';

const DAY_MS = 86_400_000;
const GRACE_MS = 7 * DAY_MS;
/** Columns of others' rows in which the deleted user replaces an erased user; users.id is its own row. */
const BECAME_DELETED_USER = [
  'activities.decided_by',
  'activity_ops.activity_id',
  'activity_ops.athlete_id',
  'area_loads.requested_by',
  'audit_entries.actor_id',
  'audit_entries.subject_id',
  'board_changes.user_id',
  'chats.created_by',
  'chats.user_high',
  'decisions.scanner_id',
  'invites.used_by',
  'messages.sender_id',
  'reports.handled_by',
  'reports.reported_id',
  'reports.reporter_id',
  'street_loads.requested_by',
  'user_events.data',
  'users.id',
  'validation_log.activity_id',
  'validation_log.athlete_id',
  'validation_log.op_id',
  'validation_log.scanner_id',
];

/** The other dependencies of the job, as no-ops. */
const JOB = { users: { recordChange() {} }, log: { info() {}, warn() {} } };

let clock_ms = 0;
const now = () => new Date(Date.now() + clock_ms);
let api: TestApp;
let center = '';
let erasure: PeriodicJob;
beforeAll(async () => {
  ({ api, center } = await openPlace(now));
  erasure = createErasureJob({ ...JOB, database: api.database, now });
});
afterAll(() => api.close());
beforeEach(async () => {
  // Erases users left locked by the previous test, so that this test counts only its own.
  clock_ms = 30 * DAY_MS;
  await erasure.run();
  clock_ms = 0;
});

type Who = Pick<SignedIn, 'headers'>;

const call = (who: Who, { method, path }: { method: 'GET' | 'POST' | 'DELETE'; path: string }) =>
  send(api, who, method, path);
const signIn = (user_id: string) => signInAgain(api, user_id, 'Phone', () => now().getTime());

async function refreshWith(refresh_token: string) {
  const headers = { origin: 'http://localhost:8000', 'sec-fetch-site': 'same-origin' };
  const cookies = { '__Host-sendlap_refresh': refresh_token };
  const reply = await api.app.inject({ method: 'POST', url: refresh.path, headers, cookies });
  return { status: reply.statusCode, ...reply.json() };
}

/** Locks the account, lets the grace period pass, and erases it. */
async function erase(who: Who): Promise<void> {
  clock_ms = 0;
  await call(who, deleteMe);
  clock_ms = GRACE_MS + 60_000;
  expect(await erasure.run()).toBe(1);
}

// Within 5 s: recent-changes.test.ts checks that with its own clock, because a busy machine takes longer.
test('an operator who erases at once signs the person out on another node too', async () => {
  const other = await buildTestApp({ database_url: api.database_url });
  try {
    const ada = await api.signIn('Ada');
    const read = async () => (await send(other, ada, 'GET', getMe.path)).status;
    expect(await read()).toBe(200);
    const at = new Date();
    await lockAccount(createEventWriter(api.database), ada.user.id, { now: at, grace_ms: 0 });
    expect(await eraseUser(api.database, ada.user.id, at)).toBe(true);
    await expect.poll(read, { interval: 250 }).toBe(401);
  } finally {
    await other.close();
  }
});

test('a user who is erased before a node has read their departure from the boards leaves them as well', async () => {
  const { ada, bea } = await fillPerson(api, center);
  const countOnBoard = async () => {
    // All-time board: on a Monday night Ada's climb belongs to last week.
    const { data } = await send(api, bea, 'GET', `/v1/leaderboards?period=all&sport_center_id=${center}`);
    return data.total as number;
  };
  const before = await countOnBoard();
  const at = new Date();
  const lock = { is_active: false, erase_after: at };
  await api.database.transaction().execute(async (trx) => {
    await trx.updateTable('users').set(lock).where('id', '=', ada.user.id).execute();
    await sql`update board_scores set version = version + 1 where user_id = ${ada.user.id}`.execute(trx);
    await trx.insertInto('board_changes').values({ user_id: ada.user.id, periods: null }).execute();
  });
  expect(await eraseUser(api.database, ada.user.id, at)).toBe(true);
  await expect.poll(countOnBoard).toBe(before - 1);
});

describe('after the grace', () => {
  let person: FilledPerson;
  beforeEach(async () => {
    person = await fillPerson(api, center);
  });

  test('no column of any table leads back to an athlete who was a referee too, and these became "deleted user"', async () => {
    const fresh = await openPlace();
    try {
      const { ada, canaries } = await fillPerson(fresh.api, fresh.center);
      expect(columnsHolding(await readAllTables(fresh.api.database), [DELETED_USER_ID])).toEqual(['users.id']);
      await send(fresh.api, ada, 'DELETE', deleteMe.path);
      const later = () => new Date(Date.now() + GRACE_MS + 60_000);
      expect(await createErasureJob({ ...JOB, database: fresh.api.database, now: later }).run()).toBe(1);
      const all = await readAllTables(fresh.api.database);
      for (const [name, canary] of Object.entries(canaries)) expect(columnsHolding(all, [canary]), name).toEqual([]);
      // Which id is the lower one is random.
      const became = columnsHolding(all, [DELETED_USER_ID]).map((name) => name.replace('user_low', 'user_high'));
      expect(became).toEqual(BECAME_DELETED_USER);
    } finally {
      await fresh.api.close();
    }
  });

  test("others keep their points, their log and their ops; the referee's own account is as before", async () => {
    const { ada, rex, bea, bea_points } = person;
    const mine = (rows: Record<string, unknown>[] = [], column: string, who: Member) =>
      rows.filter((row) => row[column] === who.user.id);
    const before = await readAllTables(api.database);
    await erase(ada);
    const after = await readAllTables(api.database);
    expect(await pointsOf(api.database, bea)).toBe(bea_points);
    const decided = mine(before.activities, 'user_id', bea).map((row) => ({ ...row, decided_by: DELETED_USER_ID }));
    expect(mine(after.activities, 'user_id', bea)).toEqual(decided);
    expect(mine(after.decisions, 'athlete_id', bea)).toMatchObject([{ scanner_id: DELETED_USER_ID, op_id: null }]);
    const [log] = mine(after.validation_log, 'athlete_id', bea).filter((row) => row.outcome === 'accepted');
    expect(log).toMatchObject({
      decision: 'confirm',
      scanner_id: DELETED_USER_ID,
      op_id: DELETED_USER_ID,
      reason: null,
    });
    const scans = mine(after.validation_log, 'scanner_id', rex);
    expect(scans.map((row) => row.outcome).sort()).toEqual(['accepted', 'accepted', 'refused', 'waiting', 'waiting']);
    // The refused scan was made up, so its athlete is unknown: it names only its sender.
    const of_ada = scans.filter((row) => row.outcome !== 'refused' && row.athlete_id !== bea.user.id);
    expect(of_ada).toHaveLength(3);
    expect(of_ada.map((row) => [row.athlete_id, row.reason])).toEqual(of_ada.map(() => [DELETED_USER_ID, null]));
    const ops_of_rex = mine(after.activity_ops, 'user_id', rex);
    expect(ops_of_rex).toHaveLength(6);
    const [of_bea] = scans.filter((row) => row.athlete_id === bea.user.id);
    expect(ops_of_rex.find((row) => row.op_id === of_bea?.op_id)?.activity_id).toBe(of_bea?.activity_id);
    for (const table of ['users', 'devices', 'referees', 'identities', 'sessions']) {
      const column = table === 'users' ? 'id' : 'user_id';
      expect(mine(after[table], column, rex), table).toEqual(mine(before[table], column, rex));
    }
    for (const table of ['provider_accounts', 'provider_records', 'provider_password_resets']) {
      const count = (all: typeof after) => all[table]?.filter((row) => JSON.stringify(row).includes(rex.account_id));
      expect(count(after), table).toEqual(count(before));
    }
  });

  test('a token, a cookie and an undo are invalid, also in the hour before the job runs', async () => {
    const { ada } = person;
    await call(ada, deleteMe);
    clock_ms = GRACE_MS - 1_000;
    const locked = await signIn(ada.user.id);
    clock_ms = GRACE_MS + 1_000;
    expect(await call(locked, restoreMe)).toMatchObject({ status: 401 });
    expect(await erasure.run()).toBe(1);
    expect(await call(locked, restoreMe)).toMatchObject({ status: 401 });
    expect(await call(locked, getDeletion)).toMatchObject({ status: 401 });
    expect(await call(locked, deleteMe)).toMatchObject({ status: 401 });
    expect(await refreshWith(locked.refresh_token)).toMatchObject({ status: 401, code: 'refresh_invalid' });
    await expect.poll(async () => (await call(locked, getMe)).status).toBe(401);
  });

  test('the same person signs up as a new user, by e-mail and by the same account of a provider', async () => {
    const { ada } = person;
    const own = { issuer: 'https://provider.example', subject: ada.user.id };
    const claims = { ...own, email: ada.email, name: 'Ada', display_name: 'Ada' };
    const identity_row = { ...own, user_id: ada.user.id };
    await api.database.insertInto('identities').values(identity_row).execute();
    const users = createUserService(api.database);
    expect(await users.findOrCreate(claims)).toMatchObject({ id: ada.user.id });
    await erase(ada);
    const sign_up = { email: ada.email, display_name: 'Ada', password: 'another sentence to know' };
    const account = await addAccount(api.database, sign_up);
    if (typeof account === 'string') throw new Error(account);
    for (const identity of [{ issuer: OWN_ISSUER_KEY, subject: account.id }, claims]) {
      const user = await users.findOrCreate({ ...claims, ...identity });
      expect([user.id, user.public_id]).not.toContain(ada.user.id);
      expect(user).toMatchObject({ age: 0, is_active: true });
      expect(await pointsOf(api.database, { user })).toBe(0);
    }
  });

  test('a crash in the middle leaves everything, and the next run erases', async () => {
    const { ada, canaries } = person;
    await call(ada, deleteMe);
    const other = await api.signIn('Other');
    await call(other, deleteMe);
    clock_ms = GRACE_MS + 60_000;
    const texts = Object.values(canaries);
    const before = await rowsHolding(api.database, texts);
    await sql`
      create function fail_for_a_test() returns trigger language plpgsql as $$
      begin if old.id = ${sql.lit(ada.user.id)}::uuid then raise exception 'cut'; end if; return old; end $$`.execute(
      api.database,
    );
    await sql`create trigger fail_for_a_test before delete on users for each row execute function fail_for_a_test()`.execute(
      api.database,
    );
    try {
      await expect(erasure.run()).rejects.toThrow('cut');
    } finally {
      await sql`drop function fail_for_a_test cascade`.execute(api.database);
    }
    expect(await rowsHolding(api.database, texts)).toEqual(before);
    // A failing erasure does not delay the others.
    expect(columnsHolding(await readAllTables(api.database), [other.user.id])).toEqual([]);
    expect(await erasure.run()).toBe(1);
    expect(columnsHolding(await readAllTables(api.database), texts)).toEqual([]);
    expect(await erasure.run()).toBe(0);
  });

  test('no user is erased unlocked, or before the time, by any caller', async () => {
    const { ada, canaries } = person;
    const before = await rowsHolding(api.database, Object.values(canaries));
    expect(await eraseUser(api.database, ada.user.id, now())).toBe(false);
    expect(await rowsHolding(api.database, Object.values(canaries))).toEqual(before);
    await call(ada, deleteMe);
    const locked = await rowsHolding(api.database, Object.values(canaries));
    expect(await eraseUser(api.database, ada.user.id, new Date(Date.now() + GRACE_MS - 60_000))).toBe(false);
    expect(await rowsHolding(api.database, Object.values(canaries))).toEqual(locked);
    expect(await eraseUser(api.database, DELETED_USER_ID, new Date(Date.now() + GRACE_MS))).toBe(false);
  });

  test('while one node works another does nothing and does not wait', async () => {
    await call(person.ada, deleteMe);
    clock_ms = GRACE_MS + 60_000;
    const { running, idle } = await api.database.transaction().execute(async (trx) => {
      await trx.selectFrom('users').select('id').where('id', '=', person.ada.user.id).forUpdate().execute();
      const held_up = erasure.run();
      await expect.poll(() => countWaiting(api.database)).toBe(1);
      return { running: held_up, idle: await erasure.run() };
    });
    expect(idle).toBe(0);
    expect(await running).toBe(1);
  });

  test('of two nodes that run the job at once one erases, each person once', async () => {
    await call(person.ada, deleteMe);
    await call(person.rex, deleteMe);
    clock_ms = GRACE_MS + 60_000;
    const node = createErasureJob({ ...JOB, database: api.database, now });
    const erased = await Promise.all([erasure.run(), node.run(), erasure.run()]);
    expect(erased.reduce((sum, each) => sum + each, 0)).toBe(2);
  });

  test('the job runs at the start of the app', async () => {
    await call(person.ada, deleteMe);
    clock_ms = GRACE_MS + 60_000;
    const restarted = await buildTestApp({ now, database_url: api.database_url });
    try {
      const find = async () => columnsHolding(await readAllTables(api.database), [person.ada.user.id]);
      await expect.poll(find).toEqual([]);
    } finally {
      await restarted.close();
    }
  });
});
