import { getDashboard } from '@sendlap/contract/dashboard.ts';
import { screen } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { runTurns } from '#test/unit/run-turns.ts';
import { ActivityModel, activityOf } from '../models/activity-model.ts';
import { answerCenter, POOL } from '../models/pool.ts';
import { openApp } from '../open-app.ts';
import { followLink } from '../scenes/follow-link.ts';

/** Home reads older data again when it opens. */
const NO_LONGER_FRESH_MS = 120_000;
/** Longer than the three attempts of a call that fail at once. */
const GIVEN_UP_MS = 10_000;
/** Of the probe of a server that does not answer. */
const PROBE_MS = 1_500;
const AGE = /Last updated|Updated just now/;

test('Home repeats failed reads as soon as the server answers another call, with a device that was online all the time', async () => {
  const phone = await openApp({
    now: '2026-11-20T10:00:00Z',
    prepare(server) {
      answerCenter(server);
      new ActivityModel(server, [POOL], [activityOf(1, POOL)]);
    },
  });
  const { server } = phone;
  await server.stream.opened();
  await screen.findAllByText('La Cebada', { exact: false });
  followLink('/profile');
  await screen.findByRole('heading', { level: 1, name: 'Profile' });
  await phone.passTime(NO_LONGER_FRESH_MS);
  await runTurns();
  server.setDown(true);
  followLink('/dashboard');
  await screen.findAllByText('La Cebada', { exact: false });
  await phone.passTime(GIVEN_UP_MS);
  await screen.findByText(AGE);
  server.setDown(false);
  const asked = server.asked(getDashboard).length;
  await vi.waitFor(async () => {
    await phone.passTime(PROBE_MS);
    await runTurns();
    expect(server.asked(getDashboard).length).toBeGreaterThan(asked);
    expect(screen.queryByText(AGE)).toBe(null);
  });
});
