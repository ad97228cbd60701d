import { getLeaderboard } from '@sendlap/contract/leaderboards.ts';
import { getCenterProofs } from '@sendlap/contract/sport-centers.ts';
import { updateSettings } from '@sendlap/contract/users.ts';
import { screen, waitFor, within } from '@testing-library/dom';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { runTurns } from '#test/unit/run-turns.ts';
import { findTraces, readStores } from '../device/browser-stores.ts';
import { stubMap } from '../device/stub-map.ts';
import { AccountModel, BODY } from '../models/account-model.ts';
import { answerBoards, IN_WEEK } from '../models/board-model.ts';
import { answerCenter, POOL } from '../models/pool.ts';
import { openApp } from '../open-app.ts';
import { NORA } from '../people.ts';

/** 1,060 to 470 points. */
const CROWD = Array.from({ length: 60 }, (_, rank) => 1060 - 10 * rank);

const addressHere = () => window.location.pathname + window.location.search;
const main = () => within(screen.getByRole('main'));
/** Finds the athlete's own row, whatever its rank. */
const findMine = () => screen.findByRole('listitem', { current: true });

async function expectMine(text: string | RegExp): Promise<void> {
  await waitFor(async () => expect((await findMine()).textContent).toMatch(text));
}

/**
 * Opens boards on which Nora has 465 points: behind a crowd this week, alone in climbing and at the pool, not on last
 * week's board.
 */
function openBoards(path = '/leaderboards', now = IN_WEEK) {
  return openApp({
    path,
    now,
    prepare: (server) => {
      answerCenter(server);
      answerBoards(server, NORA, 465, ({ key, sport, sport_center_id }) => {
        if (key !== undefined || (sport && sport_center_id)) return null;
        return sport || sport_center_id ? [] : CROWD;
      });
    },
  });
}

test('an athlete on a long board sees the rows around hers, and by keyboard opens the rows between [spec 2.ranks.surrounding]', async () => {
  const { user } = await openBoards();
  await expectMine('61st');
  await expectMine('5 points to the next');
  const around = screen.getByRole('list', { name: 'Around you' });
  expect(within(around).getAllByRole('listitem')[0]?.textContent).toMatch('58th');
  main().getByText(/61 athletes$/);

  main().getByRole('button', { name: 'Show more' }).focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(document.activeElement?.textContent).toMatch(/^51st/));
  expect(screen.queryByRole('list', { name: 'Around you' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  await expectMine('5 points behind Athlete');
});

test('a board by sport and by center is in the address, and invalid parameters there are ignored [spec 2.ranks.filter-sport, 2.ranks.filter-center]', async () => {
  const phone = await openBoards();
  await expectMine('61st');
  await phone.user.click(main().getByRole('button', { name: 'Climbing' }));
  await expectMine(/^N1st/);
  expect(addressHere()).toBe('/leaderboards?sport=climbing');
  await phone.reload(`/leaderboards?sport=curling&center=${POOL.id}`);
  await screen.findByRole('button', { name: POOL.name, pressed: true });
  await expectMine(/^N1st/);
  await phone.user.click(main().getByRole('button', { name: 'Climbing' }));
  await screen.findByRole('link', { name: 'Start here' });
});

test('weeks and seasons change by keyboard, and without a network the present board is the last one read', async () => {
  const phone = await openBoards();
  const { user } = phone;
  await expectMine('61st');
  screen.getByRole('radio', { name: 'Week' }).focus();
  await user.keyboard('{ArrowRight}');
  await screen.findByRole('heading', { name: 'This season' });
  expect(addressHere()).toBe('/leaderboards?period=season');
  await user.keyboard('{ArrowLeft}');
  await screen.findByRole('heading', { name: 'This week' });
  main().getByRole('button', { name: 'Week before' }).focus();
  await user.keyboard('{Enter}');
  await screen.findByRole('heading', { name: 'Last week' });
  expect(addressHere()).toBe('/leaderboards?key=2026-W46');
  await phone.reload();
  await screen.findByRole('heading', { name: 'Last week' });
  await screen.findByText('There were no points here');

  phone.setOnline(false);
  await user.click(main().getByRole('button', { name: 'Week after' }));
  await screen.findByText("You're offline. Last updated: now.");
  expect(addressHere()).toBe('/leaderboards');
  await expectMine('61st');
  expect(screen.getByRole('switch', { name: 'Show me on boards' })).toHaveProperty('disabled', true);
  await user.click(screen.getByRole('radio', { name: 'All time' }));
  await screen.findByRole('heading', { name: 'Ranks need a network' });
  expect(main().queryAllByRole('listitem')).toEqual([]);
});

test('rows of an open board move without a reload, a screen reader announces it, and a hidden athlete reads that only they see their row [spec 1.ranks.leaderboards]', async () => {
  let others = [400];
  const { server, user } = await openApp({
    path: '/leaderboards',
    now: IN_WEEK,
    prepare: (server) => {
      new AccountModel(server, NORA, BODY);
      const isHidden = () => server.asked(updateSettings).some(({ body }) => body.boards === false);
      answerCenter(server);
      answerBoards(server, NORA, 465, () => others, isHidden);
    },
  });
  await server.stream.opened();
  await expectMine('You lead');
  others = [400, 500];
  server.tell({ type: 'leaderboard_changed', key: '2026-W47', sport_center_id: POOL.id });
  await expectMine('2nd');
  await expectMine('points behind Athlete');
  await waitFor(() => screen.getByText('You are 2nd now'));

  await user.click(screen.getByRole('switch', { name: 'Show me on boards' }));
  await expectMine('Only you see this');
  await screen.findByText("Others don't see you on boards.");
  await screen.findByText("Others don't see you on boards now");
});

describe('when a week may be over', () => {
  /** Passes the end of a quarter of an hour on a Sunday night while the athlete looks at a board. */
  async function passTurn() {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.1);
    onTestFinished(() => random.mockRestore());
    const { server, passTime, holdTime, user } = await openBoards('/leaderboards', '2026-11-22T22:44:40Z');
    await server.stream.opened();
    await expectMine('61st');
    holdTime();
    const countReads = async () => {
      await runTurns();
      return server.asked(getLeaderboard).length;
    };
    // The boards are read again when the stream opens, and when it reopens after 25 s of silence.
    await passTime(3000);
    const reads = await countReads();
    while (Date.now() < Date.parse('2026-11-22T22:45:01Z')) await passTime(1000);
    expect(await countReads()).toBe(reads);
    return { user, passTime, expectOneMore: async () => expect(await countReads()).toBe(reads + 1) };
  }

  test('the boards on the screen are read again, not at once but soon', async () => {
    const { passTime, expectOneMore } = await passTurn();
    await passTime(3000);
    await expectOneMore();
  });

  test('boards that were left before that are read again when they are shown', async () => {
    const { user, expectOneMore } = await passTurn();
    await user.click(screen.getByRole('link', { name: 'Home' }));
    // The boards stay in the document until the code of the home screen has loaded.
    await vi.waitFor(() => expect(document.body.textContent).not.toMatch('Around you'));
    await user.click(screen.getByRole('link', { name: 'Ranks' }));
    await vi.waitFor(() => screen.getByRole('listitem', { current: true }));
    await expectOneMore();
  });
});

test('the board of the week can be read offline by an athlete who never opened the ranks', async () => {
  const phone = await openBoards('/profile');
  await screen.findByRole('heading', { level: 1, name: 'Profile' });
  await vi.waitFor(async () => expect(findTraces(await readStores(), { board: '2026-W47' })).not.toEqual([]));
  phone.setOnline(false);
  await phone.reload('/leaderboards');
  await expectMine('61st');
  await screen.findByText(/^You're offline\. Last updated: /);
  // No rows around her will come.
  await vi.waitFor(() => expect(main().queryByText('Around you')).toBeNull());
  expect(main().queryByRole('status', { name: 'Loading' })).toBeNull();
});

test.each([
  [
    { referee_sports: [], has_kiosk: false },
    /^No points here this week yet\. To count here, an activity needs a referee or a kiosk/,
  ],
  [{ referee_sports: [], has_kiosk: true }, /One confirmed activity puts you first/],
  [{ referee_sports: ['swimming' as const], has_kiosk: false }, /One confirmed activity puts you first/],
])('the empty board of a center with %o promises only confirmations that the center offers', async (proofs, text) => {
  stubMap();
  await openApp({
    path: `/sport-centers/${POOL.id}`,
    now: IN_WEEK,
    prepare: (server) => {
      answerCenter(server);
      server.on(getCenterProofs, () => proofs);
      answerBoards(server, NORA, 0, () => null);
    },
  });
  const card = (await screen.findByRole('heading', { name: 'This week here' })).closest('section') as HTMLElement;
  await within(card).findByText(text);
});

test('an empty board says how to be on it, and nothing about changes of its rows', async () => {
  await openApp({
    path: '/leaderboards',
    now: IN_WEEK,
    prepare: (server) => answerBoards(server, NORA, 0, () => null),
  });
  await screen.findByRole('heading', { name: 'The board is still empty' });
  main().getByText(/^Your best 5 confirmed activities/);
  expect(main().queryByText(/Provisional/)).toBeNull();
});
