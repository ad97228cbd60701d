import { syncActivities } from '@sendlap/contract/activities.ts';
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { activityOf } from '../models/activity-model.ts';
import { DecisionModel } from '../models/decision-model.ts';
import { answerCenter, POOL } from '../models/pool.ts';
import { openApp } from '../open-app.ts';
import { athlete } from '../people.ts';
import { activityCode, pathOfCode } from '../scenes/scanner-scene.ts';

/** An hour after the end of Mia's swim. */
const NOW = '2026-11-20T11:45:00Z';
const AFTER_UNDO_MS = 6_000;
const MIA = athlete('Mia', 5);
const SWIM = { ...activityOf(1, POOL), ended_at: '2026-11-20T10:45:00.000Z' };

async function openScannedSwim() {
  let decisions: DecisionModel | undefined;
  const phone = await openApp({
    path: pathOfCode(activityCode(SWIM, MIA, NOW)),
    now: NOW,
    prepare(server) {
      answerCenter(server);
      decisions = new DecisionModel(server);
    },
  });
  if (!decisions) throw new Error('the server was not prepared');
  return { ...phone, decisions };
}

test('an athlete without a right at the center confirms as a friend and can do nothing else, and can take that back', async () => {
  const { user, reload, passTime, decisions } = await openScannedSwim();
  const card = within(await screen.findByRole('dialog', { name: 'Is this right?' }));
  await card.findByText(/not for public boards/);
  const confirm = card.getByRole('button', { name: 'Confirm as a friend' });
  expect(card.queryByRole('button', { name: 'Reject' })).toBeNull();
  expect(card.queryByRole('button', { name: 'Adjust' })).toBeNull();
  await user.click(confirm);
  await screen.findByRole('heading', { name: 'Confirmed' });
  expect(decisions.outcomes()).toEqual(['in_force']);

  await reload('/qr/decisions');
  const row = within(await within(await screen.findByRole('main')).findByRole('listitem'));
  row.getByText('Mia');
  row.getByText('As a friend');
  const takeBack = async () => user.click(await row.findByRole('button', { name: 'Take it back' }));
  await takeBack();
  await row.findByText('It is being taken back.');
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await row.findByRole('button', { name: 'Take it back' });
  await passTime(AFTER_UNDO_MS);
  expect(decisions.outcomes()).toEqual(['in_force']);
  await takeBack();
  await row.findByText('It is being taken back.');
  await passTime(AFTER_UNDO_MS);
  await row.findByText('Taken back');
  await waitFor(() => expect(decisions.outcomes()).toEqual(['withdrawn']));
});

test('a decision is taken back after a cold start without a network, which outlives another one and is sent once', async () => {
  const { user, reload, passTime, setOnline, server, decisions } = await openScannedSwim();
  const card = within(await screen.findByRole('dialog', { name: 'Is this right?' }));
  await user.click(await card.findByRole('button', { name: 'Confirm as a friend' }));
  await screen.findByRole('heading', { name: 'Confirmed' });
  await reload('/qr/decisions');
  await screen.findByRole('button', { name: 'Take it back' });
  setOnline(false);
  await reload('/qr/decisions');
  await user.click(await screen.findByRole('button', { name: 'Take it back' }));
  await screen.findByText('It is being taken back.');
  await passTime(AFTER_UNDO_MS);
  await reload('/qr/decisions');
  await screen.findByText('It is being taken back.');
  expect(decisions.outcomes()).toEqual(['in_force']);
  setOnline(true);
  await screen.findByText('Taken back');
  await waitFor(() => expect(decisions.outcomes()).toEqual(['withdrawn']));
  const sent = server.asked(syncActivities).flatMap(({ body }) => body.ops);
  expect(sent.map(({ kind }) => kind)).toEqual(['scan', 'withdraw']);
});
