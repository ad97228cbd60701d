import { syncActivities } from '@sendlap/contract/activities.ts';
import { sendMessage } from '@sendlap/contract/chats.ts';
import { screen, waitFor, within } from '@testing-library/dom';
import { describe, expect, test } from 'vitest';
import { activityOf } from '../models/activity-model.ts';
import { POOL } from '../models/pool.ts';
import type { Phone } from '../open-app.ts';
import { EVE } from '../people.ts';
import { OFFLINE, openAppWithActivities, passUndo, pathOf } from '../scenes/activity-scene.ts';
import { openAppWithChats, openChatWith, waitForStatus, writeMessage } from '../scenes/chat-panel.ts';
import { findSheet, typeInto } from '../scenes/profile-screen.ts';

const SWIM = activityOf(1, POOL);
const REJECTED = activityOf(2, POOL, { status: 'rejected', rejected_reason: 'Not seen', can_appeal: true });

async function press({ user }: Phone, name: string): Promise<void> {
  await user.click(await screen.findByRole('button', { name }));
}

async function startColdWithoutNetwork(phone: Phone, path: string): Promise<void> {
  phone.setOnline(false);
  await phone.reload(path);
  await screen.findByText(OFFLINE);
}

interface Act {
  name: string;
  path: string;
  act: (phone: Phone) => Promise<void>;
  kinds: string[];
  /** What the server has in the end. */
  result: object[];
}

const ACTS: Act[] = [
  {
    name: 'a correction',
    path: pathOf(SWIM),
    async act(phone) {
      await press(phone, 'Correct');
      const sheet = within(await findSheet('Correct this activity'));
      await typeInto(phone, sheet.getByLabelText('Distance in metres'), '2000');
      await phone.user.click(sheet.getByRole('button', { name: 'Save the correction' }));
      await screen.findByRole('heading', { name: 'Corrected' });
    },
    kinds: ['edit'],
    result: [{ ...SWIM, distance_m: 2000 }, REJECTED],
  },
  {
    name: 'a deletion',
    path: pathOf(SWIM),
    async act(phone) {
      await press(phone, 'Delete');
      await passUndo(phone);
    },
    kinds: ['delete'],
    result: [{ ...SWIM, status: 'deleted' }, REJECTED],
  },
  {
    name: 'an appeal',
    path: pathOf(REJECTED),
    act: (phone) => press(phone, 'Ask another referee'),
    kinds: ['appeal'],
    result: [SWIM, { client_id: REJECTED.client_id, status: 'finished', can_appeal: false }],
  },
];

describe.each(ACTS)('$name', ({ path, act, kinds, result }) => {
  test('is done after a cold start without a network, outlives another one, and is sent once', async () => {
    const phone = await openAppWithActivities({ path, first: [SWIM, REJECTED] });
    await phone.server.stream.opened();
    await screen.findByRole('heading', { level: 1 });
    await phone.reload('/dashboard');
    await screen.findAllByText(new RegExp(POOL.name));
    await startColdWithoutNetwork(phone, path);
    await act(phone);
    await phone.reload('/activities');
    await screen.findByRole('button', { name: new RegExp(`^${kinds.length} pending`) });
    expect(phone.activities.ops()).toEqual([]);

    phone.setOnline(true);
    await waitFor(() => expect(phone.activities.list()).toMatchObject(result));
    const sent = phone.server.asked(syncActivities).flatMap(({ body }) => body.ops);
    expect(sent.map(({ kind }) => kind)).toEqual(kinds);
  });
});

test('a message is written after a cold start without a network, outlives another one, and is sent once', async () => {
  const phone = await openAppWithChats({ prepare: (chats) => void chats.put(EVE, EVE, 'see you?') });
  await openChatWith(phone, 'Eve');
  await screen.findByText('see you?');
  await startColdWithoutNetwork(phone, '/dashboard');
  await openChatWith(phone, 'Eve');
  await writeMessage(phone, 'on my way');
  await waitForStatus('on my way', 'Waiting for a connection');
  await phone.reload('/dashboard');
  await openChatWith(phone, 'Eve');
  await waitForStatus('on my way', 'Waiting for a connection');
  phone.setOnline(true);
  await waitForStatus('on my way', 'Sent');
  expect(phone.server.asked(sendMessage).map(({ body }) => body.message)).toEqual(['on my way']);
});
