import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { openOperator } from '../apps/api/test/app/operator.ts';
import { test } from './browser/fixtures.ts';
import { startLoneBrowser } from './browser/lone-browser.ts';
import { killAtStartUp, type Moment, signUpAlone } from './kills/killed-browser.ts';
import { addPerson } from './people/athlete.ts';
import { befriend } from './people/friends.ts';
import { declineInstallAhead } from './people/welcome.ts';
import { startChat, write } from './screens/chat-page.ts';
import { startForwardProxy } from './server/forward-proxy.ts';
import type { Server } from './server/server.ts';

/** The first kill of the journey comes before the request leaves. */
const MOMENTS: Moment[] = ['unanswered', 'relayed'];

/** Runs with the server's data. */
async function look<Found>(
  server: Server,
  read: (database: Awaited<ReturnType<typeof openOperator>>['database']) => Promise<Found>,
): Promise<Found> {
  const operator = await openOperator(server);
  try {
    return await read(operator.database);
  } finally {
    await operator.close();
  }
}

const readTexts = (server: Server) =>
  look(server, async (database) => {
    const rows = await database.selectFrom('messages').select('text').orderBy('seq').execute();
    return rows.map(({ text }) => text);
  });

test('a browser is killed whenever it sends, before, during and after it: every message arrives once, in order', async ({
  ownServer: server,
}) => {
  const profile_dir = await mkdtemp(join(tmpdir(), 'sendlap-profile-'));
  const proxy = await startForwardProxy();
  const start = async () => {
    const browser = await startLoneBrowser(profile_dir, proxy.address);
    await browser.page.setViewportSize({ width: 390, height: 844 });
    await declineInstallAhead(browser.page.context());
    return browser;
  };
  let browser = await start();
  const restart = async () => {
    browser = await start();
    return browser;
  };
  try {
    const { email } = await signUpAlone(browser, server);
    await befriend(server, { email }, await addPerson(server, 'Bea'));
    // Chromium writes its cookies late; after this close, the killed browser is still signed in.
    await browser.close();
    browser = await start();
    proxy.follow(({ path }) => (/^\/v1\/chats\/[^/]+\/messages$/.test(path) ? 'lost' : 'pass'));
    await browser.page.goto(`${server.url}/dashboard`);
    await startChat(browser.page, 'Bea');
    const texts = ['one', 'two', 'three'];
    for (const text of texts) await write(browser.page, text);
    await browser.kill();
    expect(await readTexts(server)).toEqual([]);

    const [chat_id] = await look(server, async (database) =>
      (await database.selectFrom('chats').select('id').execute()).map(({ id }) => id),
    );
    for (const moment of MOMENTS) {
      await killAtStartUp(restart, { server, proxy, moment, path: `/v1/chats/${chat_id}/messages` });
    }
    browser = await start();
    await browser.page.goto(`${server.url}/dashboard`);
    await expect.poll(() => readTexts(server)).toEqual(texts);
    await expect(browser.page.getByText(/pending|Sync failed/)).toHaveCount(0);
  } finally {
    await browser.kill();
    await proxy.close();
    await rm(profile_dir, { recursive: true, force: true });
  }
});
