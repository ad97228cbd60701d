import type { Page } from '@playwright/test';
import { messageField, panelOf, waitForStepBack } from '../screens/chat-page.ts';
import { checkMessageClaims } from './claims.ts';
import type { Person } from './person.ts';
import { readPhoneRows } from './phone-rows.ts';
import { readServerRows } from './server-rows.ts';
import { type Actor, comes, perform, type Scene, whichComes } from './taps.ts';

/** Opens the panel at the chat with this friend, which a minimized panel still shows. Returns false as `comes` does. */
export async function openChat(page: Page, name: string, person: Person): Promise<boolean> {
  await page.locator('[data-chat-launcher]').click();
  const row = panelOf(page).getByRole('button', { name: new RegExp(name) });
  if (!(await comes(panelOf(page), row.or(messageField(page)), person))) return false;
  if (!(await messageField(page).isVisible())) await row.click();
  await messageField(page).waitFor();
  return true;
}

/** Writes to the friend. */
export async function writeMessage(actor: Actor, scene: Scene): Promise<void> {
  const { person, phone } = actor;
  const page = phone.page();
  const text = `Message ${crypto.randomUUID().slice(0, 8)}`;
  if (await openChat(page, scene.friend_name, person)) {
    await checkMessageClaims(actor, scene);
    await send(actor, scene, text);
    if (phone.isRunning()) await checkMessageClaims(actor, scene);
  }
  if (!phone.isRunning()) return;
  await page.keyboard.press('Escape');
  await waitForStepBack(page);
}

async function send(actor: Actor, scene: Scene, text: string): Promise<void> {
  const { person, phone } = actor;
  const page = phone.page();
  await messageField(page).fill(text);
  const { is_saved } = await perform(actor, scene, {
    tap: () => messageField(page).press('Enter'),
    acknowledged: () =>
      whichComes(
        page.locator('textarea:placeholder-shown + button[aria-busy=false]'),
        panelOf(page).getByText('Failed to send message'),
      ),
  });
  scene.trace.tell(`message "${text}": ${is_saved ? 'saved' : 'perhaps saved'}`);
  scene.notebook.noteMessage(person.user_id, text, is_saved, person.key);
  if (is_saved && phone.isRunning()) await checkMessage(actor, scene, text);
}

async function checkMessage({ person, phone }: Actor, { operator, report }: Scene, text: string): Promise<void> {
  const { messages } = await readPhoneRows(phone.page());
  if (messages.some((message) => message.text === text)) return;
  const { messages: sent } = await readServerRows(operator, [person.user_id]);
  if (!sent.some((message) => message.text === text)) report.add('falsely_saved', `message "${text}"`);
}
