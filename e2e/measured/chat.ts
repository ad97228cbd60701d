import { setTimeout as pause } from 'node:timers/promises';
import { type Browser, chromium, type Page } from '@playwright/test';
import { launchOptions } from '../browser/fixtures.ts';
import { signInElsewhere, signUp } from '../people/athlete.ts';
import { befriend } from '../people/friends.ts';
import { openChat, startChat } from '../screens/chat-page.ts';
import { type Server, startServer } from '../server/server.ts';

/** Printed as one line of JSON: the time of a message from the Enter key to the other person's screen. */
interface ChatOnScreens {
  /** Wall-clock ms of each message: first stored on the sender's device, then on the server, then painted. */
  shown_ms: number[];
}

/** Within the limit of 60 that one user may send in a minute. */
const MESSAGES = 50;
const PAUSE_MS = 200;
const PHONE = { width: 390, height: 844 };

/** Records when a message with this text is painted, ms epoch. Runs in the page. */
function watchFor(text: string): void {
  const watched = window as unknown as { shown: Promise<number> };
  const { promise, resolve } = Promise.withResolvers<number>();
  watched.shown = promise;
  const observer = new MutationObserver(() => {
    const messages = [...document.querySelectorAll('[data-message]')];
    if (!messages.some((message) => message.textContent.includes(text))) return;
    observer.disconnect();
    requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now()));
  });
  observer.observe(document.body, { childList: true, subtree: true, characterData: true });
}

const readShown = () => (window as unknown as { shown: Promise<number> }).shown;

/** Writes a message, lets it be drawn, and presses Enter; returns when the key came, ms epoch. Runs in the page. */
async function send(text: string): Promise<number> {
  const field = document.querySelector<HTMLTextAreaElement>('[role=dialog] textarea');
  if (!field) throw new Error('no field here');
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const sent_at = performance.timeOrigin + performance.now();
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
  return sent_at;
}

/** Opens two friends' chat, each in a browser of their own. */
async function openTwo(browsers: [Browser, Browser], server: Server): Promise<[Page, Page]> {
  const [one, other] = browsers;
  const ana = await signUp(one, server, 'Ana');
  const bea = await signUp(other, server, 'Bea');
  await befriend(server, ana, bea);
  // A journey's clock replaces every timer of the page; a measurement needs the browser's own.
  const phones = [
    await signInElsewhere(one, server, ana, { viewport: PHONE }),
    await signInElsewhere(other, server, bea, { viewport: PHONE }),
  ] as const;
  for (const { context } of [ana, bea]) await context.close();
  const [{ page }, { page: other_page }] = phones;
  await startChat(page, 'Bea');
  await page.evaluate(send, 'Hello');
  await openChat(other_page, 'Ana');
  await other_page.getByRole('log').getByText('Hello').waitFor();
  return [page, other_page];
}

const server = await startServer();
const browsers: [Browser, Browser] = [await chromium.launch(launchOptions()), await chromium.launch(launchOptions())];
try {
  const [page, other] = await openTwo(browsers, server);
  const shown_ms: number[] = [];
  for (let number = 0; number < MESSAGES; number += 1) {
    const text = `message ${number} of all`;
    await other.evaluate(watchFor, text);
    const sent_at = await page.evaluate(send, text);
    shown_ms.push((await other.evaluate(readShown)) - sent_at);
    await pause(PAUSE_MS);
  }
  console.log(`CHAT-ON-SCREENS ${JSON.stringify({ shown_ms } satisfies ChatOnScreens)}`);
} finally {
  for (const browser of browsers) await browser.close();
  await server.remove();
}
