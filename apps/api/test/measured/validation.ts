import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { createSessions } from '#api/sessions/sessions.ts';
import { makeCenter } from '../factories.ts';
import { openScene } from './scene.ts';
import { answer } from './serve.ts';

const CENTERS = 60;
const MINUTE_MS = 60_000;
const POOL_SIZE = 8;

/** Creates referees, each with so many finished activities of so many athletes to confirm; or works without the app. */
export type ValidationOrder =
  | { what: 'prepare'; spread: boolean; referees: number; activities: number }
  | { what: 'bare'; concurrency: number; duration_s: number }
  | { what: 'athlete' };

export interface OpenActivity {
  activity_id: string;
  public_id: string;
  started_at: number;
  ended_at: number;
  key_id: string;
  /** base64url */
  key: string;
}

export interface BenchReferee {
  token: string;
  sport_center_id: string;
  activities: OpenActivity[];
}

const centers: string[] = [];
const scene = await openScene({}, async (database) => {
  for (let index = 0; index < CENTERS; index += 1) centers.push(await makeCenter(database));
});
const sessions = createSessions({ database: scene.database, secrets: scene.secrets });
const pool = new pg.Pool({ connectionString: scene.database_url, max: POOL_SIZE });
pool.on('error', () => {});
await pool.query('create table bare_rows (id bigserial primary key, who int, data jsonb)');
await pool.query('create table bare_sums (who int primary key, total int)');
await pool.query('insert into bare_sums select g, 0 from generate_series(0, 999) g');
let made = 0;

async function makePerson(name: string): Promise<{ id: string; public_id: string }> {
  made += 1;
  const person = { id: randomUUID(), public_id: `bench-${made}` };
  await scene.database
    .insertInto('users')
    .values({ ...person, email: '', name, display_name: name })
    .execute();
  return person;
}

async function tokenOf(user_id: string): Promise<string> {
  return (await sessions.create(user_id, 'Bench')).access_token;
}

async function makeReferee(spread: boolean, nth: number, activities: number): Promise<BenchReferee> {
  const sport_center_id = centers[spread ? nth % centers.length : 0] ?? '';
  const { id } = await makePerson('Rex');
  const right = { sport_types: ['climbing', 'swimming'] as const, granted_by: 'bench', valid_until: null };
  await scene.database
    .insertInto('referees')
    .values({
      ...right,
      id: randomUUID(),
      user_id: id,
      sport_center_id,
      sport_types: ['climbing', 'swimming'],
      valid_from: new Date(Date.now() - 86_400_000),
    })
    .execute();
  const open = await Promise.all(Array.from({ length: activities }, () => makeActivity(sport_center_id)));
  return { token: await tokenOf(id), sport_center_id, activities: open };
}

async function makeActivity(sport_center_id: string): Promise<OpenActivity> {
  const athlete = await makePerson('Ada');
  const key = randomBytes(32);
  const key_id = randomUUID();
  await scene.database
    .insertInto('devices')
    .values({
      id: key_id,
      user_id: athlete.id,
      installation_id: randomUUID(),
      name: 'Phone',
      key_encrypted: scene.secrets.encrypt(key, `device ${key_id} of ${athlete.id}`),
    })
    .execute();
  const ended_at = Math.floor((Date.now() - MINUTE_MS) / 1000) * 1000;
  const activity = { activity_id: randomUUID(), started_at: ended_at - 90 * MINUTE_MS, ended_at };
  const local_date = new Date(activity.started_at).toLocaleDateString('sv', { timeZone: 'Europe/Madrid' });
  await scene.database
    .insertInto('activities')
    .values({
      id: activity.activity_id,
      user_id: athlete.id,
      sport_center_id,
      sport_type: 'climbing',
      started_at: new Date(activity.started_at),
      ended_at: new Date(ended_at),
      status: 'finished',
      intensity: 'moderate',
      distance_m: null,
      rule_version: 'met-1',
      local_date,
      week_key: '2000-W01',
    })
    .execute();
  return { ...activity, public_id: athlete.public_id, key_id, key: key.toString('base64url') };
}

/** A transaction of about as many statements, on the same PostgreSQL through as many connections, without the app. */
async function bareTransaction(who: number): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('select total from bare_sums where who = $1 for no key update', [who]);
    await client.query('select count(*) from bare_rows where who = $1', [-1]);
    await client.query('insert into bare_rows (who, data) values ($1, $2)', [who, '{"a": 1}']);
    await client.query('update bare_sums set total = total + 1 where who = $1', [who]);
    await client.query('commit');
  } finally {
    client.release();
  }
}

async function workBare(concurrency: number, duration_s: number): Promise<{ transactions: number }> {
  const until = performance.now() + duration_s * 1000;
  let transactions = 0;
  const worker = async (nth: number) => {
    while (performance.now() < until) {
      await bareTransaction((nth * 50 + transactions) % 1000);
      transactions += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, (_, nth) => worker(nth)));
  return { transactions };
}

async function carryOut(order: ValidationOrder): Promise<object> {
  if (order.what === 'bare') return workBare(order.concurrency, order.duration_s);
  if (order.what === 'athlete') {
    return { token: await tokenOf((await makePerson('Ada')).id), sport_center_id: centers[0] };
  }
  const referees: BenchReferee[] = [];
  for (let nth = 0; nth < order.referees; nth += 1) {
    referees.push(await makeReferee(order.spread, nth, order.activities));
  }
  // As on a database that has been running: without it, plans would be those of empty tables.
  await pool.query('analyze');
  return { referees };
}

answer<{ url: string }, ValidationOrder>({ url: scene.url }, carryOut);
