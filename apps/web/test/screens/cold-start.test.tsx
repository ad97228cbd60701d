import { syncActivities } from '@sendlap/contract/activities.ts';
import { sendMessage } from '@sendlap/contract/chats.ts';
import { screen, waitFor, within } from '@testing-library/dom';
import { describe, expect, test } from 'vitest';
import { activityOf } from '../models/activity-model.ts';
import { POOL } from '../models/pool.ts';
import type { Phone } from '../open-app.ts';
import { EVE } from '../people.ts';
import { OFFLINE, openAppWithActivities, passUndo, pathOf } from '../scenes/activity-scene.ts';
import {
  findPanel,
  openAppWithChats,
  openChatWith,
  pressInPanel,
  readTexts,
  waitForStatus,
  writeMessage,
} from '../scenes/chat-panel.ts';
import { findSheet, typeInto } from '../scenes/profile-screen.ts';

const SWIM = activityOf(1, POOL);
const REJECTED = activityOf(2, POOL, { status: 'rejected', rejected_reason: 'Not seen', can_appeal: true });

async function press({ user }: Phone, name: string | RegExp): Promise<void> {
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

test('messages are written after a cold start without a network, outlive another one, and are sent once and in order, also after one that the server refuses', async () => {
  const phone = await openAppWithChats({ prepare: (chats) => void chats.put(EVE, EVE, 'see you?') });
  await openChatWith(phone, 'Eve');
  await screen.findByText('see you?');
  await startColdWithoutNetwork(phone, '/dashboard');
  await openChatWith(phone, 'Eve');
  const texts = ['one', 'two', 'three'];
  for (const text of ['x'.repeat(20_001), ...texts]) await writeMessage(phone, text);
  await waitForStatus('three', 'Waiting for a connection');
  await phone.reload('/dashboard');
  await openChatWith(phone, 'Eve');
  const starts = ['see y', 'xxxxx', ...texts];
  const expectStarts = () => waitFor(() => expect(readTexts().map((text) => text.slice(0, 5))).toEqual(starts));
  await expectStarts();
  for (const text of texts) await waitForStatus(text, 'Waiting for a connection');
  within(await findPanel()).getByText(/^You're offline\. Last updated/);
  await pressInPanel(phone, 'Minimize chats');
  await press(phone, /^4 pending/);
  await waitFor(() => expect(screen.getAllByText('Message to Eve')).toHaveLength(4));
  await phone.user.keyboard('{Escape}');
  expect(phone.chats.messagesWith(EVE)).toEqual(['see you?']);

  phone.setOnline(true);
  await waitFor(() => expect(phone.chats.messagesWith(EVE)).toEqual(['see you?', ...texts]));
  await press(phone, /^Eve/);
  await waitForStatus('three', 'Sent');
  await waitForStatus('xxxxx', 'Not sent');
  // The refused message keeps its position.
  await expectStarts();
  const sent = phone.server.asked(sendMessage).map(({ body }) => body.message.slice(0, 5));
  expect(sent).toEqual(['xxxxx', ...texts]);
});
