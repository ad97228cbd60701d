import { log } from '../screens/chat-page.ts';
import { idOf, progressOf } from './activity-page.ts';
import { readServerRows } from './server-rows.ts';
import type { Actor, Scene } from './taps.ts';

/** What a screen says that the server has. */
export type Claim = 'start' | 'finish' | 'message';

/** How often a screen said so, and was asked for it. */
export type ClaimCounts = Record<Claim, number>;

export const NO_CLAIMS: ClaimCounts = { start: 0, finish: 0, message: 0 };

/**
 * Returns whether the server has what the screen of an activity says, by the server's status of it. The screen of a phone
 * does not know at once what another phone did.
 */
export function isClaimTrue(claim: Exclude<Claim, 'message'>, status: string | undefined, phones: number): boolean {
  if (status === undefined) return false;
  if (phones > 1) return claim === 'start' || status !== 'active';
  return status === (claim === 'start' ? 'active' : 'finished');
}

/** Compares the word of the activity's page, if one is open, with the server. */
export async function checkActivityClaim({ phone, person }: Actor, scene: Scene, phones: number): Promise<void> {
  const page = phone.page();
  const client_id = idOf(page);
  if (client_id === null) return;
  const says_start = await page.getByText('Saved on the server').isVisible();
  const says_finish = await progressOf(page).getByText('The server has it.').isVisible();
  if (!says_start && !says_finish) return;
  const claim = says_start ? 'start' : 'finish';
  scene.claims[claim] += 1;
  const { activities } = await readServerRows(scene.operator, [person.user_id]);
  const status = activities.find(({ id }) => id === client_id)?.status;
  if (!isClaimTrue(claim, status, phones))
    scene.report.add('falsely_saved', `${claim} of ${client_id}: the screen says on the server, where it is ${status}`);
}

/** Compares the messages that the open chat calls sent with the server. */
export async function checkMessageClaims({ phone, person }: Actor, scene: Scene): Promise<void> {
  const bubbles = log(phone.page()).getByRole('article');
  const texts = await bubbles.filter({ hasText: /(Sent|Read)$/ }).allInnerTexts();
  const claimed = texts.flatMap((text) => /Message [0-9a-f]{8}/.exec(text) ?? []);
  if (claimed.length === 0) return;
  scene.claims.message += claimed.length;
  const { messages } = await readServerRows(scene.operator, [person.user_id]);
  const on_server = new Set(messages.map(({ text }) => text));
  for (const text of claimed)
    if (!on_server.has(text)) scene.report.add('falsely_saved', `message "${text}": the screen says sent`);
}
