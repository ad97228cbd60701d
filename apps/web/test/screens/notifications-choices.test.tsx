import { updateSettings } from '@sendlap/contract/users.ts';
import { waitFor } from '@testing-library/dom';
import { expect, test } from 'vitest';
import type { Phone } from '../open-app.ts';
import { findNotifications, openNotifications } from '../scenes/notifications-card.ts';
import { typeInto } from '../scenes/profile-screen.ts';

type Card = Awaited<ReturnType<typeof findNotifications>>;

const NOW = '2026-11-20T10:00:00Z';
/** Typed times are saved automatically a second after the last key. */
const SAVED_BY_ITSELF_MS = 1_000;

const findSwitch = (card: Card, name: string) => card.findByRole<HTMLInputElement>('switch', { name });
const findTime = (card: Card, name: 'From' | 'Until') => card.findByLabelText<HTMLInputElement>(name);

/** Returns the hours that the app has sent, oldest first. */
function sentHours({ server }: Phone) {
  return server.asked(updateSettings).flatMap(({ body }) => {
    const hours = body.notifications?.quiet_hours;
    return hours ? [`${hours.from} to ${hours.until}`] : [];
  });
}

async function expectAlert(card: Card): Promise<void> {
  expect((await card.findByRole('alert')).textContent).toBe('Not saved: choose two different times.');
}

test('choices of notifications are stored for all devices of the athlete', async () => {
  const phone = await openNotifications({ now: NOW });
  const { user, account } = phone;
  let card = await findNotifications();
  await user.click(await findSwitch(card, 'Friend requests'));
  await user.click(await findSwitch(card, 'Show the message text'));
  await user.click(await findSwitch(card, 'Quiet hours'));
  const from = await findTime(card, 'From');
  expect(from.value).toBe('22:00');
  await typeInto(phone, from, '23:15');
  (await findTime(card, 'Until')).focus();
  await waitFor(() => expect(account.settings().notifications.quiet_hours).toMatchObject({ from: '23:15' }));
  await phone.reload();
  card = await findNotifications();
  expect(await findSwitch(card, 'Friend requests')).toHaveProperty('checked', false);
  expect(await findSwitch(card, 'Messages')).toHaveProperty('checked', true);
  expect(await findSwitch(card, 'Show the message text')).toHaveProperty('checked', true);
  expect(await findTime(card, 'From')).toHaveProperty('value', '23:15');
  expect(await findTime(card, 'Until')).toHaveProperty('value', '07:00');
});

test('the keyboard stays on a switch of the card while it is saved, and the latest of quick changes is kept', async () => {
  const phone = await openNotifications();
  const { user, server, account } = phone;
  const messages = await findSwitch(await findNotifications(), 'Messages');
  const held = server.hold(updateSettings);
  messages.focus();
  for (let presses = 0; presses < 3; presses += 1) {
    await user.keyboard(' ');
    expect(document.activeElement).toBe(messages);
  }
  await held.arrived;
  held.release();
  await waitFor(() => expect(account.settings().notifications.messages).toBe(false));
  await phone.reload();
  expect(await findSwitch(await findNotifications(), 'Messages')).toHaveProperty('checked', false);
});

test('equal quiet hours are not saved; both times are sent together if one alone could not be, and the keyboard stays', async () => {
  const phone = await openNotifications({ now: NOW });
  const { user, account } = phone;
  let card = await findNotifications();
  const quiet = await findSwitch(card, 'Quiet hours');
  quiet.focus();
  await user.keyboard(' ');
  expect(document.activeElement).toBe(quiet);
  const until = await findTime(card, 'Until');
  expect(until.value).toBe('07:00');
  await typeInto(phone, until, '22:00{Enter}');
  await expectAlert(card);
  await typeInto(phone, until, '06:05{Enter}');
  await waitFor(() => expect(account.settings().notifications.quiet_hours).toMatchObject({ until: '06:05' }));
  expect(document.activeElement).toBe(until);
  const from = await findTime(card, 'From');
  await typeInto(phone, from, '06:05{Enter}');
  await expectAlert(card);
  await phone.passTime(SAVED_BY_ITSELF_MS);
  await typeInto(phone, until, '14:30{Enter}');
  await waitFor(() => expect(sentHours(phone).at(-1)).toBe('06:05 to 14:30'));
  expect(card.queryByRole('alert')).toBeNull();
  await phone.reload();
  card = await findNotifications();
  expect(await findTime(card, 'From')).toHaveProperty('value', '06:05');
  expect(await findTime(card, 'Until')).toHaveProperty('value', '14:30');
  expect(await findSwitch(card, 'Quiet hours')).toHaveProperty('checked', true);
  expect(sentHours(phone)).toEqual(['22:00 to 07:00', '22:00 to 06:05', '06:05 to 14:30']);
});

test('without a network the switch and the time that have the focus keep it and change nothing', async () => {
  const phone = await openNotifications({ now: NOW });
  const { user, account } = phone;
  const card = await findNotifications();
  await user.click(await findSwitch(card, 'Quiet hours'));
  await waitFor(() => expect(account.settings().notifications.quiet_hours).not.toBeNull());
  const before = account.settings().notifications;
  const from = await findTime(card, 'From');
  from.focus();
  phone.setOnline(false);
  await waitFor(() => expect(from.readOnly).toBe(true));
  expect(from.disabled).toBe(false);
  phone.setOnline(true);
  const messages = await findSwitch(card, 'Messages');
  await waitFor(() => expect(messages.disabled).toBe(false));
  messages.focus();
  phone.setOnline(false);
  await waitFor(() => expect(messages.getAttribute('aria-disabled')).toBe('true'));
  // A browser takes the focus from a disabled control.
  expect(messages.disabled).toBe(false);
  await user.keyboard(' ');
  expect(messages.checked).toBe(true);
  expect(account.settings().notifications).toEqual(before);
  messages.blur();
  await waitFor(() => expect(messages.disabled).toBe(true));
});
