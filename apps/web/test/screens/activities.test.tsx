import { syncActivities } from '@sendlap/contract/activities.ts';
import { screen } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { ActivityModel } from '../activity-model.ts';
import { openApp } from '../open-app.ts';
import { answerCenter, POOL } from '../pool.ts';

const UNDO_IS_OVER_MS = 6_000;

test('what is done without a network is counted by the chip, outlives a reload and is sent when the network is back', async () => {
  let model: ActivityModel | undefined;
  const phone = await openApp({
    path: `/sport-centers/${POOL.id}`,
    now: '2026-11-20T10:00:00Z',
    prepare: (server) => {
      answerCenter(server);
      model = new ActivityModel(server, [POOL]);
    },
  });
  const start = await screen.findByRole('button', { name: 'Start swimming' });
  phone.setOnline(false);
  await phone.user.click(start);
  await screen.findByRole('button', { name: /^1 pending/ });
  await phone.passTime(45 * 60_000);
  await phone.reload();
  expect((await screen.findByRole('timer')).textContent).toMatch(/^4[56]:/);
  await phone.user.click(await screen.findByRole('button', { name: 'Finish' }));
  await screen.findByRole('button', { name: /^2 pending/ });
  await phone.passTime(UNDO_IS_OVER_MS);
  const held = phone.server.hold(syncActivities);
  phone.setOnline(true);
  await screen.findByRole('button', { name: /^Syncing\.\.\./ });
  held.release();
  await screen.findByRole('button', { name: /^Synced/ });
  await screen.findByText('The server has it.');
  expect(model?.list().map(({ status }) => status)).toEqual(['finished']);
});
