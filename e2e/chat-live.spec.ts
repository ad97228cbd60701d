import { expect, type Page } from '@playwright/test';
import { openOperator } from '../apps/api/test/app/operator.ts';
import { test } from './browser/fixtures.ts';
import { writeHistory } from './people/chat-history.ts';
import { log, messageField, openChat, openFriends, panelOf } from './screens/chat-page.ts';
import type { Server } from './server/server.ts';

interface StoredMessage {
  text: string;
  is_read: boolean;
}

async function readStored(server: Server, chat_id: string): Promise<StoredMessage[]> {
  const operator = await openOperator(server);
  try {
    const rows = await operator.database
      .selectFrom('messages')
      .where('chat_id', '=', chat_id)
      .orderBy('seq')
      .select(['text', 'read_at'])
      .execute();
    return rows.map(({ text, read_at }) => ({ text, is_read: read_at !== null }));
  } finally {
    await operator.close();
  }
}

/** Blocks the device from storing written messages, until `letGo`. */
async function holdOutbox(page: Page): Promise<{ letGo: () => Promise<void> }> {
  await page.evaluate(async () => {
    const { promise, resolve, reject } = Promise.withResolvers<IDBDatabase>();
    const opening = indexedDB.open('sendlap-outbox');
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
    const database = await promise;
    const held = window as unknown as { is_held: boolean };
    held.is_held = true;
    const messages = database.transaction('messages', 'readwrite').objectStore('messages');
    const ask = () => {
      if (held.is_held) messages.count().onsuccess = ask;
      else database.close();
    };
    ask();
  });
  const letGo = () => page.evaluate(() => Object.assign(window, { is_held: false }));
  return { letGo: () => letGo().then(() => {}) };
}

test('a new message waits below a reader who has scrolled up, typing is shown, and a message being sent is not sent again [spec 5.message.sending]', async ({
  browser,
  server,
}) => {
  const { ana, bea, page } = await openFriends(browser, server);
  const many = Array.from({ length: 40 }, (_, index) => ({
    by: bea,
    text: `message ${index + 1}`,
    minutes_ago: 40 - index,
  }));
  const chat_id = await writeHistory(server, ana, bea, many);
  const unread = async () => (await readStored(server, chat_id)).filter(({ is_read }) => !is_read);
  const listening = page.waitForResponse((reply) => reply.url().endsWith('/v1/events') && reply.ok());
  await page.reload();
  await openChat(page, 'Bea');
  await expect(log(page).getByText('message 1', { exact: true })).toBeInViewport();
  await expect.poll(async () => (await readStored(server, chat_id))[0]?.is_read).toBe(true);
  expect((await unread()).map(({ text }) => text)).toContain('message 40');

  await bea.page.reload();
  await openChat(bea.page, 'Ana');
  // A typing event reaches only streams that are open at that moment.
  await listening;
  await messageField(bea.page).pressSequentially('And');
  await expect(panelOf(page).getByText('is typing…')).toBeVisible();
  await messageField(bea.page).fill('And one more');
  await messageField(bea.page).press('Enter');
  const jump = panelOf(page).getByRole('button', { name: /^Go to the newest message, \d+ new messages$/ });
  await expect(jump).toBeVisible();
  await expect(panelOf(page).getByText('is typing…')).toHaveCount(0);
  await expect(log(page).getByText('message 1', { exact: true })).toBeInViewport();
  await expect.poll(async () => (await unread()).at(-1)?.text).toBe('And one more');
  await jump.press('Enter');
  await expect(log(page)).toBeFocused();
  await expect(log(page).getByText('And one more', { exact: true })).toBeInViewport();
  await expect.poll(async () => (await readStored(server, chat_id)).at(-1)?.is_read).toBe(true);
  await expect(log(bea.page).getByRole('article').last()).toContainText('Read');
  // Between the messages seen first and those jumped to.
  expect((await unread()).map(({ text }) => text)).toContain('message 20');

  const { letGo } = await holdOutbox(page);
  await messageField(page).fill('once');
  await messageField(page).press('Enter');
  const send = panelOf(page).getByRole('button', { name: 'Send' });
  await expect(send).toHaveAttribute('aria-busy', 'true');
  await panelOf(page).getByRole('button', { name: 'Minimize chats' }).click();
  await page.getByRole('button', { name: /^Bea/ }).click();
  await expect(messageField(page)).toHaveValue('');
  await messageField(page).fill('in between');
  await expect(send).toHaveAttribute('aria-disabled', 'true');
  await messageField(page).press('Enter');
  await expect(messageField(page)).toHaveValue('in between');
  await letGo();
  await expect(send).toHaveAttribute('aria-busy', 'false');
  await expect(log(page).getByRole('article').last()).toContainText(/once[\s\S]*Sent/);
  await expect(messageField(page)).toHaveValue('in between');
  const mine = (await readStored(server, chat_id)).filter(({ text }) => ['once', 'in between'].includes(text));
  expect(mine.map(({ text }) => text)).toEqual(['once']);
  for (const { context } of [ana, bea]) await context.close();
});
