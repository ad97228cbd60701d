import { screen, waitFor, within } from '@testing-library/dom';
import { expect } from 'vitest';
import type { Phone } from '../open-app.ts';

/** Finds a sheet. A toast is a dialog too, but a non-modal one. */
export const findSheet = (name: string | RegExp) => screen.findByRole('dialog', { name });

/** The card of body data on the profile. */
export async function bodyCard(): Promise<HTMLElement> {
  const heading = await screen.findByRole('heading', { name: 'Body data' });
  const card = heading.closest('section');
  if (!card) throw new Error('the heading of body data is in no section');
  return card;
}

export async function typeInto({ user }: Phone, field: HTMLElement, text: string): Promise<void> {
  await user.clear(field);
  await user.type(field, text);
}

/** Types into the fields of body data, by their labels. */
export async function typeBody(phone: Phone, sheet: HTMLElement, values: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(values))
    await typeInto(phone, within(sheet).getByRole('textbox', { name: label }), text);
}

export async function expectGone(part: HTMLElement): Promise<void> {
  await waitFor(() => expect(part.isConnected).toBe(false));
}

/** Expects every value on the card of body data. */
export async function expectOnCard(...texts: string[]): Promise<void> {
  const card = within(await bodyCard());
  for (const text of texts) await card.findByText(text);
}
