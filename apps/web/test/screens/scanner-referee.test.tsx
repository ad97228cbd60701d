import { listMyRefereeRights } from '@sendlap/contract/referees.ts';
import { screen, within } from '@testing-library/dom';
import { test } from 'vitest';
import { runTurns } from '#test/unit/run-turns.ts';
import { activityOf } from '../models/activity-model.ts';
import { answerCenter, POOL } from '../models/pool.ts';
import { openApp } from '../open-app.ts';
import { athlete } from '../people.ts';
import { activityCode, pathOfCode } from '../scenes/scanner-scene.ts';

const NOW = '2026-11-20T11:45:00Z';
const SWIM = { ...activityOf(1, POOL), ended_at: '2026-11-20T10:45:00.000Z' };
const RIGHT = {
  sport_center_id: POOL.id,
  sport_center_name: POOL.name,
  sport_types: ['swimming' as const],
  valid_until: null,
};

test('a right that was asked for on Home, and came when the user had left it, makes a referee without a network', async () => {
  const { server, user, reload, setOnline } = await openApp({ path: '/dashboard', now: NOW, prepare: answerCenter });
  await screen.findByRole('link', { name: 'Scan a code' });
  server.on(listMyRefereeRights, () => ({ items: [RIGHT], next_cursor: null }));
  const rights = server.hold(listMyRefereeRights);
  await reload('/dashboard');
  await rights.arrived;
  await user.click(await screen.findByRole('link', { name: 'Scan a code' }));
  await screen.findByRole('button', { name: 'Type the 8 digits' });
  rights.release();
  await runTurns();
  setOnline(false);
  window.location.hash = new URL(pathOfCode(activityCode(SWIM, athlete('Mia', 5), NOW)), 'https://sendlap.test').hash;
  const card = within(await screen.findByRole('dialog', { name: 'Is this right?' }));
  await card.findByRole('button', { name: 'Reject' });
});
