import { screen, within } from '@testing-library/dom';
import type { Phone } from '../open-app.ts';

/** Finds the parts of the friends screen as a user does. */
export const friendsSection = () => screen.findByRole('region', { name: 'Your friends' });
export const requestsToMe = () => screen.findByRole('region', { name: /^(Wants|They want) to be your friend$/ });
export const askedByMe = () => screen.findByRole('region', { name: 'Requests sent' });
export const addSection = () => screen.findByRole('region', { name: 'Add a friend' });

/** Types a public id and presses Enter. */
export async function searchFor({ user }: Phone, public_id: string): Promise<void> {
  const field = within(await addSection()).getByRole('textbox', { name: 'Public ID of your friend' });
  await user.clear(field);
  await user.type(field, `${public_id}{Enter}`);
}

/** Opens the sheet of a person from their row. */
export async function openPerson({ user }: Phone, name: string): Promise<HTMLElement> {
  const line = await within(await friendsSection()).findByRole('button', { name: new RegExp(`^\\w? ?${name}`) });
  await user.click(line);
  return screen.findByRole('dialog', { name: 'Profile' });
}

/** Shows the one request that has arrived since the screen was opened. */
export async function showNewRequest({ user }: Phone): Promise<void> {
  await user.click(await screen.findByRole('button', { name: '1 new request' }));
}
