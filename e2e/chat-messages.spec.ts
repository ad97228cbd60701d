import { expect } from '@playwright/test';
import { test } from './browser/fixtures.ts';
import { writeHistory } from './people/chat-history.ts';
import { log, openChat, openWithFriend, panelOf } from './screens/chat-page.ts';
import { look } from './screens/look.ts';

/** Each would become visible if it were executed, or reverse the text around it. */
const CANARIES = [
  '<img src=x onerror="document.title=\'owned\'">',
  '<script>document.title="owned"</script>',
  '"><svg onload=alert(1)>',
  'javascript:alert(1)',
  '[x](javascript:alert(1))',
  '{{constructor.constructor("alert(1)")()}}',
  '\u202Egnp.exe\u202D abc',
  '\u2067\u2066unclosed',
  `Z${'\u0335\u0336\u0337'.repeat(40)}`,
  '👩‍👩‍👧‍👦',
  'W'.repeat(400),
  'https://user@evil.example/ and http://ok.example/x',
];

test('no text of a message is run, turns its surroundings around, or is wider than the panel', async ({
  browser,
  server,
}) => {
  const { ana, bea, page } = await openWithFriend(browser, server, { viewport: { width: 320, height: 640 } });
  const lines = CANARIES.map((text, index) => ({ by: bea, text, minutes_ago: CANARIES.length - index }));
  await writeHistory(server, ana, bea, lines);
  const dialogs: string[] = [];
  const errors: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => errors.push(error.message));
  await page.reload();
  await openChat(page, 'Bea');
  const texts = new Set<string>();
  await expect
    .poll(async () => {
      for (const text of await log(page).locator('article > p:first-of-type').allTextContents()) texts.add(text);
      await log(page).evaluate((element) => element.scrollBy(0, -200));
      return CANARIES.filter((canary) => !texts.has(canary));
    })
    .toEqual([]);
  expect(await log(page).locator('img, script, svg[onload], iframe').count()).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  expect(await log(page).evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  expect([dialogs, errors, await page.title()]).toEqual([[], [], expect.not.stringContaining('owned')]);
  await log(page).evaluate((element) => element.scrollTo(0, element.scrollHeight));
  const link = log(page).getByRole('link');
  await expect(link).toHaveAttribute('href', 'http://ok.example/x');
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow ugc');
  await look(page, 'chat-canaries-320');
  await ana.context.close();
});

test('of 10,000 messages few are drawn, older ones come page by page without a jump, and a button leads back [spec 5.unread.cap, 9.chat.unread-cap, 9.chat.page-size]', async ({
  browser,
  server,
}) => {
  const { ana, bea, page } = await openWithFriend(browser, server);
  const many = Array.from({ length: 10_000 }, (_, index) => ({
    by: index % 3 === 0 ? ana : bea,
    text: `message ${index + 1}`,
    minutes_ago: 10_000 - index,
    is_read: index < 9_800,
  }));
  await writeHistory(server, ana, bea, many);
  const pages: [string, number][] = [];
  let is_held = true;
  let letGo = () => {};
  await page.route('**/messages?*', async (route) => {
    if (is_held && route.request().url().includes('before=')) await new Promise<void>((go) => (letGo = go));
    const response = await route.fetch();
    const { data } = (await response.json()) as { data: unknown[] };
    pages.push([new URL(route.request().url()).search, data.length]);
    await route.fulfill({ response });
  });
  await page.reload();
  const button = page.getByRole('button', { name: /^Open chats, 99\+ unread/ });
  await expect(button).toContainText('99+');
  await openChat(page, 'Bea');
  await expect(log(page).getByText('99+ new messages')).toBeInViewport();
  expect(await log(page).getByRole('article').count()).toBeLessThan(60);

  // The messages in view keep their position when older ones are added above.
  await log(page).evaluate((element) => element.scrollTo(0, 300));
  await expect(panelOf(page).getByRole('status', { name: 'Loading older messages' })).toBeVisible();
  const read = log(page).getByText('message 9955', { exact: true });
  await expect(read).toBeInViewport();
  const place = async () => (await read.boundingBox())?.y ?? Number.NaN;
  const place_before = await place();
  is_held = false;
  letGo();
  const older = () => pages.find(([query]) => query.startsWith('?before='));
  await expect.poll(older).toEqual(['?before=9951&limit=50', 50]);
  await expect(panelOf(page).getByRole('status', { name: 'Loading older messages' })).toHaveCount(0);
  expect(Math.abs((await place()) - place_before)).toBeLessThan(80);
  expect(pages[0]).toEqual(['?offset=0&limit=50', 50]);

  const height = () => log(page).evaluate((element) => element.scrollHeight);
  const height_before = await height();
  // Staying at the top loads one page after the other, each as soon as the previous one has arrived.
  const scrollUp = async () => {
    await log(page).evaluate((element) => element.scrollTo(0, 0));
    return pages.length;
  };
  await expect.poll(scrollUp, { intervals: [150], timeout: 60_000 }).toBeGreaterThan(10);
  await expect.poll(height).toBeGreaterThan(height_before + 5_000);
  expect(await log(page).getByRole('article').count()).toBeLessThan(60);
  await panelOf(page)
    .getByRole('button', { name: /^Go to the newest message/ })
    .click();
  await expect(log(page).getByText('message 10000', { exact: true })).toBeVisible();
  // A page that is still loading would fail with the context.
  await page.unrouteAll({ behavior: 'wait' });
  await ana.context.close();
});
