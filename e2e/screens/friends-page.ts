import { type Browser, expect, type Locator, type Page } from '@playwright/test';
import { type Athlete, readPublicId, signUp } from '../people/athlete.ts';
import type { Server } from '../server/server.ts';

export interface Member extends Athlete {
  public_id: string;
  main: Locator;
}

/** Signs a user up and opens the friends screen. */
export async function join(browser: Browser, server: Server, name: string): Promise<Member> {
  const athlete = await signUp(browser, server, name);
  const public_id = await readPublicId(athlete);
  await openFriends(athlete.page);
  return { ...athlete, public_id, main: athlete.page.getByRole('main') };
}

/** Opens the screen from the profile; marks the page, so that a reload would be noticed. */
async function openFriends(page: Page): Promise<void> {
  await page
    .getByRole('main')
    .getByRole('link', { name: /^(Friends|Amigos)/ })
    .click();
  await expect(page.getByRole('heading', { level: 1, name: /^(Friends|Amigos)$/ })).toBeVisible();
  await page.evaluate(() => document.body.setAttribute('data-same-page', ''));
}

/** Searches by keyboard alone. */
export async function search({ main, page }: Member, public_id: string): Promise<void> {
  const field = main.getByRole('textbox', { name: 'Public ID of your friend' });
  await field.fill(public_id);
  await field.press('Enter');
  await expect(page.getByRole('button', { name: 'Search' })).not.toHaveAttribute('aria-busy', 'true');
}

const section = ({ main }: Member, name: string | RegExp) => main.getByRole('region', { name });
/** What a search found. */
export const searchCard = (member: Member) => section(member, 'Add a friend').getByRole('status');
export const friendRows = (member: Member) => section(member, 'Your friends').getByRole('listitem');
export const receivedRequests = (member: Member) =>
  section(member, /^(Wants|They want) to be your friend$/).getByRole('listitem');
export const sentRequests = (member: Member) => section(member, 'Requests sent').getByRole('listitem');

/** The button that shows a request that has arrived since the screen was opened. */
export const newRequest = ({ page }: Member) => page.getByRole('button', { name: '1 new request' });

export async function showNewRequest(member: Member): Promise<void> {
  await newRequest(member).press('Enter');
}

export async function closeAll(members: Athlete[]): Promise<void> {
  for (const { context } of members) await context.close();
}
