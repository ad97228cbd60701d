import { listMyManagerRights } from '@sendlap/contract/center-management/managers.ts';
import { getCenterProofs } from '@sendlap/contract/sport-centers.ts';
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { runTurns } from '#test/unit/run-turns.ts';
import { stubMap } from '../device/stub-map.ts';
import { answerCenter, POOL } from '../models/pool.ts';
import { openApp } from '../open-app.ts';

/** More than the waits between the app's attempts. */
const LEAPS = 8;
const TITLES = { en: 'Who can confirm your activity here', es: 'Quién puede confirmar tu actividad aquí' } as const;

async function openPool(answer: Parameters<typeof openApp>[0], language: keyof typeof TITLES = 'en') {
  stubMap();
  const phone = await openApp({ path: `/sport-centers/${POOL.id}`, language, ...answer });
  const card = (await screen.findByRole('heading', { name: TITLES[language] })).closest('section');
  if (!card) throw new Error('the title is not in a card');
  return { ...phone, card: within(card) };
}

const titlesOf = async (card: Awaited<ReturnType<typeof openPool>>['card']) =>
  (await card.findAllByRole('listitem')).map((row) => row.querySelector('p')?.textContent);

test('without an answer of the server the page promises no referee and no kiosk', async () => {
  const { card, passTime } = await openPool({
    now: '2026-11-20T10:00:00Z',
    prepare: (server) => {
      answerCenter(server);
      server.fail(getCenterProofs);
    },
  });
  // Each leap reaches only a wait that has begun.
  for (let leap = 0; leap < LEAPS; leap += 1) {
    await runTurns();
    await passTime(10_000);
  }
  expect(await card.findAllByText(/Without a network we can't say/)).toHaveLength(2);
  expect(card.queryByText('Today: you and your friends')).toBeNull();
});

test.each([
  [
    'en',
    ['Today: you and your friends', 'Public boards: the center'],
    'operator of this server',
    'Ask the center for it',
  ],
  [
    'es',
    ['Hoy: tú y tus amigos', 'Clasificación pública: el centro'],
    'quien administra este Sendlap',
    'Pídeselo al centro',
  ],
] as const)(
  'a center without referee and kiosk lists who can confirm which activities, in two entries, in %s',
  async (language, titles, operator, ask) => {
    const { card } = await openPool({ prepare: answerCenter }, language);
    expect(await titlesOf(card)).toEqual(titles);
    card.getByText(operator, { exact: false });
    card.getByRole('button', { name: ask });
  },
);

test('a center with a referee lists all proofs, and those that it lacks', async () => {
  const { card } = await openPool({
    prepare: (server) => {
      answerCenter(server);
      server.on(getCenterProofs, () => ({ referee_sports: ['swimming' as const], has_kiosk: false }));
    },
  });
  expect(await titlesOf(card)).toEqual(['A referee of the center', "The center's kiosk", 'A friend who is there too']);
  expect(card.getAllByText(/Not here yet/)).toHaveLength(1);
});

test('a manager of a center without referee and kiosk does not read to ask the center', async () => {
  await openPool({
    prepare: (server) => {
      answerCenter(server);
      const right = { sport_center_id: POOL.id, sport_center_name: POOL.name };
      server.on(listMyManagerRights, () => ({ items: [right], next_cursor: null }));
    },
  });
  await screen.findByRole('link', { name: /^Manage this center/ });
  await screen.findByText('Public boards: the center');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Ask the center for it' })).toBeNull());
});
