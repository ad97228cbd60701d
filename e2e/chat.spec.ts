import { type Browser, expect, type Page } from '@playwright/test';
import { openOperator } from '../apps/api/test/app/operator.ts';
import { test } from './browser/fixtures.ts';
import { type Athlete, signUp } from './people/athlete.ts';
import { writeHistory } from './people/chat-history.ts';
import { befriend } from './people/friends.ts';
import { log, openChat, panelOf, readTexts, startChat, write } from './screens/chat-page.ts';
import type { Server } from './server/server.ts';

const minimize = (page: Page) => panelOf(page).getByRole('button', { name: 'Minimize chats' }).click();
/** Finds the whole text: the time next to it could continue it, so that "unread 2" at 0:02 reads as "unread 20". */
const line = (page: Page, text: string) =>
  log(page)
    .locator('[data-message]')
    .filter({ has: page.getByText(text, { exact: true }) });

async function openFriends(browser: Browser, server: Server) {
  const ana = await signUp(browser, server, 'Ana');
  const bea = await signUp(browser, server, 'Bea');
  await befriend(server, ana, bea);
  return { ana, bea };
}

async function closeAll(people: Athlete[]): Promise<void> {
  for (const { context } of people) await context.close();
}

/** Returns this person's messages as the server stored them, in its order. */
async function readStored(server: Server, { email }: Athlete): Promise<string[]> {
  const operator = await openOperator(server);
  try {
    const rows = await operator.database
      .selectFrom('messages')
      .innerJoin('users', 'users.id', 'messages.sender_id')
      .where('users.email', '=', email)
      .orderBy('messages.seq')
      .select('messages.text')
      .execute();
    return rows.map(({ text }) => text ?? '');
  } finally {
    await operator.close();
  }
}

test('two friends write, see read marks, and part: writing ends, the messages stay [spec 1.chat.between-friends]', async ({
  browser,
  server,
}) => {
  const { ana, bea } = await openFriends(browser, server);
  await bea.page.goto('/friends');
  await expect(bea.page.getByRole('region', { name: 'Your friends' })).toContainText('Ana');

  await startChat(ana.page, 'Bea');
  await write(ana.page, 'Are you climbing on Friday?');
  await expect(line(ana.page, 'Are you climbing on Friday?')).toContainText('Sent');
  const open_chats = bea.page.getByRole('button', { name: /^Open chats/ });
  await expect(open_chats).toHaveAccessibleName(/1 unread/);
  await open_chats.click();
  const row = panelOf(bea.page).getByRole('button', { name: /Ana/ });
  await expect(row).toContainText('Are you climbing on Friday?');
  await expect(line(ana.page, 'Are you climbing on Friday?')).toContainText('Sent');
  await row.click();
  await expect(log(bea.page)).toContainText('Are you climbing on Friday?');
  await expect(line(ana.page, 'Are you climbing on Friday?')).toContainText('Read');
  await write(bea.page, 'At seven!');
  await expect(log(ana.page)).toContainText('At seven!');
  await expect(line(bea.page, 'At seven!')).toContainText('Read');

  await write(ana.page, 'x'.repeat(20_001));
  await expect(log(ana.page).getByRole('button')).toHaveText(['Retry', 'Edit', 'Discard']);
  await minimize(bea.page);
  await bea.page.getByRole('region', { name: 'Your friends' }).getByRole('button', { name: /^Ana/ }).click();
  const sheet = bea.page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Remove friend' }).click();
  await sheet.getByRole('button', { name: 'Remove friend' }).click();
  await expect(panelOf(ana.page).getByText(/you are no longer friends/)).toBeFocused();
  await expect(ana.page.getByRole('textbox', { name: /^Message to/ })).toHaveCount(0);
  // The chat no longer has a field to rewrite it in: it stays until it is discarded.
  await expect(log(ana.page).getByRole('button')).toHaveText(['Retry', 'Discard']);
  expect((await readTexts(ana.page)).slice(0, 2)).toEqual(['Are you climbing on Friday?', 'At seven!']);
  await closeAll([ana, bea]);
});

test('lost answers duplicate no message, and two tabs of one browser show and send each once; a chat opens at its first new message', async ({
  browser,
  server,
}) => {
  const { ana, bea } = await openFriends(browser, server);
  let lost = 0;
  await ana.context.route(/\/v1\/chats\/[^/]+\/messages$/, async (route) => {
    if (route.request().method() !== 'POST' || lost >= 3) return route.fallback();
    lost += 1;
    await route.fetch();
    await route.abort();
  });
  await startChat(ana.page, 'Bea');
  const second = await ana.context.newPage();
  await second.goto('/dashboard');
  await write(ana.page, 'one');
  await openChat(second, 'Bea');
  await write(second, 'two');
  await write(ana.page, 'three');
  const texts = ['one', 'two', 'three'];
  for (const page of [ana.page, second]) {
    await expect.poll(() => readTexts(page)).toEqual(texts);
    for (const text of texts) await expect(line(page, text)).toContainText('Sent');
  }
  expect(lost).toBe(3);
  expect(await readStored(server, ana)).toEqual(texts);
  await openChat(bea.page, 'Ana');
  await expect.poll(() => readTexts(bea.page)).toEqual(texts);
  await expect(line(ana.page, 'three')).toContainText('Read');

  // Her device has a copy of those three when she comes back.
  await bea.page.goto('about:blank');
  const unread = Array.from({ length: 20 }, (_, index) => ({ by: ana, text: `unread ${index + 1}`, minutes_ago: 0 }));
  await writeHistory(server, ana, bea, unread);
  await bea.page.goto('/dashboard');
  await expect(bea.page.getByRole('button', { name: /^Open chats, 20 unread/ })).toBeVisible();
  await openChat(bea.page, 'Ana');
  await expect(log(bea.page).getByText('20 new messages')).toBeInViewport();
  await expect(log(bea.page).getByText('unread 1', { exact: true })).toBeInViewport();
  await closeAll([ana, bea]);
});
