import { fireEvent, screen, waitFor } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { AccountModel, BODY } from '../models/account-model.ts';
import { activityOf } from '../models/activity-model.ts';
import { POOL } from '../models/pool.ts';
import { openApp, type Phone } from '../open-app.ts';
import { NORA } from '../people.ts';
import { MINUTE_MS, main, openAppWithActivities, passUndo, startSwimming } from '../scenes/activity-scene.ts';

/** Presses Enter on a control, as one who walks by keyboard. */
async function press({ user }: Phone, control: HTMLElement): Promise<void> {
  control.focus();
  await user.keyboard('{Enter}');
}

/** A keyboard user goes on from here, not from the top of the page. */
async function expectFocusInMain(): Promise<void> {
  await waitFor(() => expect(screen.getByRole('main').contains(document.activeElement)).toBe(true));
}

test('by keyboard the focus stays on the screen of an activity that is finished, runs on, and is finished again', async () => {
  const phone = await openAppWithActivities();
  await startSwimming(phone);
  await phone.passTime(20 * MINUTE_MS);
  await press(phone, await screen.findByRole('button', { name: 'Finish' }));
  const undo = await screen.findByRole('button', { name: 'Undo' });
  await expectFocusInMain();
  await press(phone, undo);
  const again = await screen.findByRole('button', { name: 'Finish' });
  await expectFocusInMain();
  await press(phone, again);
  (await screen.findByRole('button', { name: 'Undo' })).focus();
  await passUndo(phone);
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  await expectFocusInMain();
});

test('by keyboard the focus stays on the screen of an activity whose end was forgotten', async () => {
  const phone = await openAppWithActivities({ now: '2026-11-20T08:00:00Z' });
  await startSwimming(phone);
  await screen.findByText(/Saved on the server$/);
  await phone.passTime(5 * 60 * MINUTE_MS);
  await phone.reload();
  await press(phone, await screen.findByRole('button', { name: 'When did you stop?' }));
  await press(phone, await screen.findByRole('button', { name: 'Finish at this time' }));
  await screen.findByText(/^Finished after/);
  await expectFocusInMain();
});

test('the button that takes a length back keeps the focus when no length is left', async () => {
  const phone = await openAppWithActivities();
  await startSwimming(phone);
  await press(phone, await screen.findByRole('button', { name: 'Add a length' }));
  await screen.findByText('25 m', { selector: 'p' });
  const back = screen.getByRole('button', { name: /Take one back$/ });
  await press(phone, back);
  await screen.findByText('0 m', { selector: 'p' });
  // Not disabled: a browser takes the focus from a disabled button.
  expect(back).toHaveProperty('disabled', false);
  expect(back.getAttribute('aria-disabled')).toBe('true');
  await press(phone, back);
  screen.getByText('0 m', { selector: 'p' });
});

test('by keyboard the focus stays with the list when its filter is cleared', async () => {
  const phone = await openAppWithActivities({ path: '/activities?sport=climbing', first: [activityOf(1, POOL)] });
  await press(phone, await screen.findByRole('button', { name: 'Show all' }));
  await waitFor(() => expect(main().getAllByRole('listitem')).toHaveLength(1));
  await expectFocusInMain();
});

test('a button keeps the focus when the network is lost, and does nothing until it is back', async () => {
  const phone = await openApp({ path: '/profile/account', prepare: (server) => new AccountModel(server, NORA, BODY) });
  const button = await screen.findByRole('button', { name: 'Delete account' });
  button.focus();
  phone.setOnline(false);
  await screen.findByRole('button', { name: 'Delete account: Needs a connection' });
  // A browser takes the focus from a disabled button.
  expect(button).toHaveProperty('disabled', false);
  expect(button.getAttribute('aria-disabled')).toBe('true');
  await press(phone, button);
  expect(screen.queryByRole('dialog')).toBeNull();
  button.blur();
  await waitFor(() => expect(button).toHaveProperty('disabled', true));
  phone.setOnline(true);
  await waitFor(() => expect(button).toHaveProperty('disabled', false));
  await press(phone, button);
  await screen.findByRole('dialog', { name: 'Delete your account?' });
});

test('a button keeps the focus while another window has it and the network is lost', async () => {
  const phone = await openApp({ path: '/profile/account', prepare: (server) => new AccountModel(server, NORA, BODY) });
  const button = await screen.findByRole('button', { name: 'Delete account' });
  button.focus();
  // The window loses the focus: its element does, and stays the active one.
  fireEvent.focusOut(button);
  expect(document.activeElement).toBe(button);
  phone.setOnline(false);
  await screen.findByRole('button', { name: 'Delete account: Needs a connection' });
  expect(button).toHaveProperty('disabled', false);
});

test('the button of the next month keeps the focus when it leads to this month', async () => {
  const phone = await openAppWithActivities({ path: '/activities?view=calendar', first: [activityOf(1, POOL)] });
  await press(phone, await screen.findByRole('button', { name: 'Previous month' }));
  const next = screen.getByRole('button', { name: 'Next month' });
  await waitFor(() => expect(next).toHaveProperty('disabled', false));
  await press(phone, next);
  await waitFor(() => expect(next.getAttribute('aria-disabled')).toBe('true'));
  expect(next).toHaveProperty('disabled', false);
});
