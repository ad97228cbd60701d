import { listActivities } from '@sendlap/contract/activities.ts';
import { listBadges } from '@sendlap/contract/badges.ts';
import { listChats } from '@sendlap/contract/chats.ts';
import { getDashboard } from '@sendlap/contract/dashboard.ts';
import { listFriendRequests } from '@sendlap/contract/friends.ts';
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { runTurns } from '#test/unit/run-turns.ts';
import { OPENING_TIMEOUT_MS } from '#web/shared/live/opening.ts';
import { stopTimersOf } from '../device/device-clock.ts';
import { IN_WEEK } from '../models/board-model.ts';
import { answerSkills } from '../models/signed-in.ts';
import { openApp } from '../open-app.ts';
import { athlete } from '../people.ts';

test('a dashboard that cannot be read says so, and why, and Retry reads it [spec 8.other.dashboard, 8.other.network]', async () => {
  const phone = await openApp({
    prepare(server) {
      answerSkills(server);
      server.replyRaw(getDashboard, () => new Response('{}', { status: 400 }));
    },
  });
  const { user, server } = phone;
  const title = { name: 'Error loading dashboard data' };
  const problem = async () => {
    const alert = (await screen.findByRole('heading', title)).closest<HTMLElement>('[role=alert]');
    if (!alert) throw new Error('the problem is not in an alert');
    return within(alert);
  };
  await problem();
  // The parts that do not need the dashboard's answer are shown.
  await screen.findByRole('heading', { name: 'Your first points are nearby' });
  server.heal(getDashboard);
  server.fail(getDashboard);
  await user.click((await problem()).getByRole('button', { name: 'Retry' }));
  await (await problem()).findByText('Network error');
  server.heal(getDashboard);
  const asked = server.asked(getDashboard).length;
  await user.click((await problem()).getByRole('button', { name: 'Retry' }));
  await screen.findByRole('heading', { name: 'Skills' });
  expect(server.asked(getDashboard).length).toBeGreaterThan(asked);
  await waitFor(() => expect(screen.queryByRole('heading', title)).toBeNull());
});

test('a dashboard that cannot be read without a network is no alarm, and comes with the network', async () => {
  const phone = await openApp({
    now: IN_WEEK,
    prepare(server) {
      answerSkills(server);
      server.fail(getDashboard);
    },
  });
  const failed = await vi.waitFor(async () => {
    await phone.passTime(1000);
    return screen.getByRole('heading', { name: 'Error loading dashboard data' });
  });
  phone.setOnline(false);
  await screen.findByRole('heading', { name: "You're offline" });
  expect(failed.isConnected).toBe(false);
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  phone.server.heal(getDashboard);
  phone.setOnline(true);
  await screen.findByRole('heading', { name: 'Skills' });
  expect(screen.queryByRole('heading', { name: "You're offline" })).toBeNull();
});

const AT_START = [getDashboard, listActivities, listBadges, listFriendRequests, listChats];

test('a start asks once for the dashboard, activities, badges, requests and chats, though the stream opens after the screen', async () => {
  stopTimersOf(OPENING_TIMEOUT_MS);
  let letOpen = () => {};
  const { server } = await openApp({
    prepare(server) {
      answerSkills(server);
      letOpen = server.stream.hold();
    },
  });
  await screen.findByRole('heading', { level: 1 });
  await runTurns();
  letOpen();
  await screen.findByRole('heading', { name: 'Skills' });
  await runTurns();
  expect(AT_START.map((endpoint) => server.asked(endpoint).length)).toEqual([1, 1, 1, 1, 1]);
});

test('data read before a stream that opens late is read again', async () => {
  const { server } = await openApp({
    prepare(ready) {
      answerSkills(ready);
      ready.stream.setOpen(false);
    },
  });
  await screen.findByRole('heading', { name: 'Skills' });
  const before = AT_START.map((endpoint) => server.asked(endpoint).length);
  server.stream.setOpen(true);
  await server.stream.opened();
  await waitFor(() => {
    for (const [index, endpoint] of AT_START.entries())
      expect(server.asked(endpoint).length).toBeGreaterThan(before[index] ?? 0);
  });
});

test.each([
  ['Anastasia Hohenberger-Villalobos', 'Hi, Anastasia'],
  ['Maximilianswolkensteinhausenburgenthaler', 'Home'],
])('%s is greeted by a name that fits the title bar: %s', async (name, title) => {
  await openApp({ as: athlete(name, 1), prepare: answerSkills });
  await screen.findByRole('heading', { level: 1, name: title });
});
