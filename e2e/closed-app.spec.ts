import { expect } from '@playwright/test';
import { openOperator } from '../apps/api/test/app/operator.ts';
import { test } from './browser/fixtures.ts';
import { openSyncTrigger } from './browser/sync-trigger.ts';
import { addPerson, signUp, WITH_WORKER, waitForWorker } from './people/athlete.ts';
import { befriend } from './people/friends.ts';
import { openPool, startSwimming } from './people/swimming.ts';
import { log, openChat, panelOf, startChat, write } from './screens/chat-page.ts';
import { startForwardProxy } from './server/forward-proxy.ts';
import type { Server } from './server/server.ts';

/** Reads all that athletes have sent. */
async function readSent(server: Server): Promise<{ activities: string[]; ops: string[]; messages: string[] }> {
  const operator = await openOperator(server);
  try {
    const { database } = operator;
    const activities = await database.selectFrom('activities').select('status').execute();
    const ops = await database.selectFrom('activity_ops').select('kind').orderBy('kind').execute();
    const messages = await database.selectFrom('messages').select('text').execute();
    return {
      activities: activities.map(({ status }) => status),
      ops: ops.map(({ kind }) => kind),
      messages: messages.map(({ text }) => text),
    };
  } finally {
    await operator.close();
  }
}

test('an activity and a message saved without a network are sent while the app is closed, once, and shown as sent when it opens [spec 7.worker.sync-tag]', async ({
  browser,
  server,
}) => {
  const proxy = await startForwardProxy();
  const ana = await signUp(browser, server, 'Ana', { ...WITH_WORKER, proxy: { server: proxy.address } });
  await befriend(server, ana, await addPerson(server, 'Bea'));
  await waitForWorker(ana.page);
  await openPool(ana, server);
  await startChat(ana.page, 'Bea');

  proxy.follow(() => 'lost');
  await ana.context.setOffline(true);
  await write(ana.page, 'on my way');
  await ana.page.keyboard.press('Escape');
  await expect(panelOf(ana.page)).toHaveCount(0);
  await startSwimming(ana);
  await ana.page.getByRole('button', { name: 'Finish' }).click();
  await ana.page.getByRole('button', { name: /^3 pending/ }).waitFor();
  const trigger = await openSyncTrigger(ana.context, server.url);
  await ana.page.close();
  await trigger.fire();
  expect(await readSent(server)).toEqual({ activities: [], ops: [], messages: [] });

  await ana.context.setOffline(false);
  proxy.follow(undefined);
  const sent = { activities: ['finished'], ops: ['finish', 'start'], messages: ['on my way'] };
  await trigger.stopWorker();
  await trigger.fire();
  await expect.poll(() => readSent(server)).toEqual(sent);
  await trigger.fire();

  const page = await ana.context.newPage();
  await page.goto('/dashboard');
  await expect(page.getByText('Not yet confirmed')).toBeVisible();
  await expect(page.getByText(/pending|Sync failed/)).toHaveCount(0);
  await openChat(page, 'Bea');
  await expect(log(page).getByText('on my way')).toHaveCount(1);
  expect(await readSent(server)).toEqual(sent);
  await ana.context.close();
  await proxy.close();
});
