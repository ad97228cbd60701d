import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '#api/database/database.ts';
import { createTestDatabase } from '#test/database/database.ts';

const OWN_NAME = 'watcher';
const CENTERS = 4_000;
const TIMEOUT_MS = 180_000;
const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sendlap-killed-'));
const path = join(folder, 'centers.geojson');

let database: Database;
let url: string;
let drop: () => Promise<void>;

beforeAll(async () => {
  ({ url, drop } = await createTestDatabase());
  database = openDatabase(`${url}&application_name=${OWN_NAME}`);
  const features = Array.from({ length: CENTERS }, (_, number) => ({
    type: 'Feature',
    id: `node/${number}`,
    properties: { leisure: 'sports_centre', sport: 'climbing', indoor: 'yes', name: `Sala ${number}` },
    geometry: { type: 'Point', coordinates: [(number % 100) / 50, 40 + Math.floor(number / 100) / 50] },
  }));
  writeFileSync(path, JSON.stringify({ type: 'FeatureCollection', features }));
});

afterAll(async () => {
  await database.destroy();
  await drop();
  rmSync(folder, { recursive: true });
});

function start(): { child: ChildProcess; ended: Promise<{ code: number | null; stdout: string }> } {
  const env = { ...process.env, DATABASE_URL: url, SECRET: 'x'.repeat(32) };
  const child = spawn(process.execPath, [MAIN, 'centers', 'import', path, '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let stdout = '';
  child.stdout?.on('data', (chunk) => {
    stdout += String(chunk);
  });
  return { child, ended: new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout }))) };
}

async function others() {
  const { rows } = await sql<{ query: string; wait: string | null }>`
    select query, wait_event_type as wait from pg_stat_activity
    where datname = current_database() and application_name <> ${OWN_NAME} and backend_type = 'client backend'
  `.execute(database);
  return rows;
}

const until = (condition: () => Promise<boolean>) =>
  expect.poll(condition, { interval: 5, timeout: TIMEOUT_MS / 2 }).toBe(true);

/** Holds a lock during `work`, so that no other transaction can add a sport to a center. */
async function whileHeld(work: () => Promise<void>): Promise<void> {
  await database.transaction().execute(async (trx) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
    await sql`lock table sport_facilities in share mode`.execute(trx);
    await work();
  });
}

const count = async () => (await database.selectFrom('sport_centers').select('id').execute()).length;

it(
  'an import that is killed half-way leaves nothing behind; the next one imports all, and the one after it changes nothing',
  async () => {
    // The import's uncommitted centers are invisible to other connections, and the import waits for a lock: however
    // fast it is, it is in the middle of saving.
    const isSaving = async () =>
      (await others()).some(({ query, wait }) => wait === 'Lock' && query.includes('insert into sport_facilities'));
    await whileHeld(async () => {
      const { child, ended } = start();
      await until(isSaving);
      child.kill('SIGKILL');
      expect((await ended).code).toBeNull();
    });
    await until(async () => (await others()).length === 0);
    expect(await count()).toBe(0);

    const second = await start().ended;
    expect(second.code).toBe(0);
    expect(JSON.parse(second.stdout)).toMatchObject({
      read: CENTERS,
      imported: CENTERS,
      merged_count: 0,
      refused_count: 0,
    });
    expect(await count()).toBe(CENTERS);
    const third = await start().ended;
    expect(JSON.parse(third.stdout)).toMatchObject({ read: CENTERS, imported: 0, updated: 0, unchanged: CENTERS });
  },
  TIMEOUT_MS,
);
