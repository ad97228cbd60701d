import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { EXPORT_ACTIVITIES_PATH, EXPORT_PATH } from '@sendlap/contract/users.ts';
import Fastify from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { hashKey } from '#api/http/attempt-limit.ts';
import { installErrorHandler } from '#api/http/error-replies.ts';
import { REFUSING_AUTHENTICATOR } from '#test/app/refusing-authenticator.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { mountExports } from './export-routes.ts';

/** What the server makes of a file: all of it, the first bytes of it, or nothing. */
let makes: 'all' | 'a part' | 'nothing' = 'all';
let user_id = '';
let origin = '';
let own: Awaited<ReturnType<typeof openTestDatabase>>;
const app = Fastify({ forceCloseConnections: true });

async function makeFile() {
  if (makes === 'nothing') throw new Error('the disk is full');
  let is_read = false;
  const content = new Readable({
    read() {
      if (!is_read) this.push('{}');
      if (makes === 'all') this.push(null);
      is_read = true;
    },
  });
  return { bytes: makes === 'all' ? 2 : 1000, content };
}

beforeAll(async () => {
  own = await openTestDatabase();
  installErrorHandler(app);
  mountExports(app, {
    database: own.database,
    authenticator: {
      ...REFUSING_AUTHENTICATOR,
      authenticate: () => ({ user_id, session_id: randomUUID(), locked: false }),
    },
    exports: { exportMe: makeFile, exportActivities: makeFile },
  });
  origin = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await app.close();
  await own.close();
});
beforeEach(() => {
  user_id = randomUUID();
});

async function download(path = EXPORT_PATH): Promise<number> {
  makes = 'all';
  const reply = await fetch(origin + path);
  await reply.text();
  return reply.status;
}

/** Begins a download and leaves while it lasts. Returns its status. */
async function cutDownload(path = EXPORT_PATH): Promise<number> {
  makes = 'a part';
  const leaving = new AbortController();
  const reply = await fetch(origin + path, { signal: leaving.signal });
  leaving.abort();
  return reply.status;
}

async function failedDownload(path = EXPORT_PATH): Promise<number> {
  makes = 'nothing';
  return (await fetch(origin + path)).status;
}

/** Returns how many downloads of a day the user has used. */
async function countUsed(): Promise<number | undefined> {
  const rows = own.database.selectFrom('attempt_counts').where('key', '=', `exports:${hashKey(user_id)}`);
  return (await rows.select('points').executeTakeFirst())?.points;
}

test('a third one of a day is refused, also while two are under way', async () => {
  expect([await download(), await download(EXPORT_ACTIVITIES_PATH)]).toEqual([200, 200]);
  expect([await download(), await download(EXPORT_ACTIVITIES_PATH), await countUsed()]).toEqual([429, 429, 2]);

  user_id = randomUUID();
  makes = 'a part';
  const leaving = new AbortController();
  for (let count = 1; count <= 2; count += 1) await fetch(origin + EXPORT_PATH, { signal: leaving.signal });
  expect(await download()).toBe(429);
  leaving.abort();
  await expect.poll(countUsed).toBe(0);
  expect(await download()).toBe(200);
});

test.each([
  ['that the user left', cutDownload, 200],
  ['that the server could not make', failedDownload, 500],
])('a download %s does not count', async (_which, tryDownload, status) => {
  expect([await tryDownload(), await tryDownload(EXPORT_ACTIVITIES_PATH)]).toEqual([status, status]);
  await expect.poll(countUsed).toBe(0);
  expect([await download(), await download(EXPORT_ACTIVITIES_PATH), await download()]).toEqual([200, 200, 429]);
});

test('at most six downloads of a day begin, however many of them are left', async () => {
  for (let count = 1; count <= 6; count += 1) {
    expect(await cutDownload()).toBe(200);
    await expect.poll(countUsed).toBe(0);
  }
  expect([await cutDownload(), await download(), await countUsed()]).toEqual([429, 429, 0]);
});
