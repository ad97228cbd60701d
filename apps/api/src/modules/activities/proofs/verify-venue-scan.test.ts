import { randomUUID } from 'node:crypto';
import { VENUE_TIME_STEP_MS } from '@sendlap/domain/qr-code.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type PairedKiosk, pairKiosk, venueCodeAt } from '#test/scenes/kiosk.ts';
import { MINUTE_MS, ScanScene, wholeSeconds } from '#test/scenes/scan-scene.ts';

const DAY_MS = 24 * 60 * MINUTE_MS;

let scene: ScanScene;
let kiosk: PairedKiosk;
let elsewhere: PairedKiosk;
/** Lag of the server's clock. */
let behind_ms = 0;

beforeAll(async () => {
  scene = await ScanScene.open({ now: () => new Date(Date.now() - behind_ms) });
  // Paired yesterday: just after midnight, a code from a minute ago has yesterday's key.
  behind_ms = DAY_MS;
  kiosk = await pairKiosk(scene.api, scene.center);
  elsewhere = await pairKiosk(scene.api, scene.other_center);
  behind_ms = 0;
});
beforeEach(() => scene.renew());
afterAll(() => scene.api.close());

const iso = (epoch_ms: number) => new Date(epoch_ms).toISOString();
const scanNow = (from = kiosk, at_ms = Date.now()) => ({
  payload: venueCodeAt(from, at_ms),
  scanned_at: iso(Date.now()),
});

interface Visit {
  at_start?: object;
  at_end?: object;
  /** Age of the scan at the start. */
  minutes?: number;
}

/** Starts, lets time pass and finishes; returns the activity as the athlete sees it. */
async function visit({ at_start, at_end, minutes = 60 }: Visit) {
  const client_id = randomUUID();
  const start = { client_id, sport_center_id: scene.center, sport_type: 'climbing', intensity: 'moderate' };
  const started = await scene.send(scene.athlete, 'POST', '/v1/activities', {
    ...start,
    started_at: iso(wholeSeconds(Date.now()) - (minutes + 30) * MINUTE_MS),
    ...(at_start ? { venue_scan: at_start } : {}),
  });
  expect(started.status).toBe(201);
  // Backdates the scan at the start.
  await sql`
    update activities set venue_started_at = venue_started_at - make_interval(mins => ${minutes})
    where id = ${client_id}`.execute(scene.api.database);
  const finished = await scene.send(scene.athlete, 'POST', `/v1/activities/${client_id}/finish`, {
    ended_at: iso(Date.now()),
    ...(at_end ? { venue_scan: at_end } : {}),
  });
  expect(finished.status).toBe(200);
  return finished.data;
}

describe("the venue's code does not count, and the step does,", () => {
  test.each<[string, () => Visit, string]>([
    [
      'when it was photographed and sent later',
      () => ({ at_start: scanNow(kiosk, Date.now() - 60_000), at_end: scanNow() }),
      'venue_code_late',
    ],
    [
      'when it is ahead of its time',
      () => ({ at_start: scanNow(kiosk, Date.now() + 3 * VENUE_TIME_STEP_MS), at_end: scanNow() }),
      'venue_code_late',
    ],
    ['when it is of another center', () => ({ at_start: scanNow(elsewhere), at_end: scanNow() }), 'venue_other_center'],
    [
      'when it names another center than its kiosk is at',
      () => ({
        at_start: { ...scanNow(), payload: venueCodeAt(elsewhere, Date.now(), { sport_center_id: scene.center }) },
        at_end: scanNow(),
      }),
      'code_forged',
    ],
    [
      'when it is no code of a kiosk',
      () => ({ at_start: { ...scanNow(), payload: 'AAAAAAAAAAAAAAAAAAAAAAAA' }, at_end: scanNow() }),
      'code_unreadable',
    ],
    ['when only the start has it', () => ({ at_start: scanNow() }), 'venue_scan_missing'],
    ['when only the finish has it', () => ({ at_end: scanNow() }), 'venue_scan_missing'],
    [
      'when the one at the finish is late',
      () => ({ at_start: scanNow(), at_end: scanNow(kiosk, Date.now() - 60_000) }),
      'venue_code_late',
    ],
  ])('%s', async (_name, of, note) => {
    const activity = await visit(of());
    expect(activity).toMatchObject({ status: 'finished', validation: 'none', points: 0, proof_note: note });
    expect(await scene.readLedger()).toEqual([]);
  });
});

test('a visit without any scan has no note about the venue', async () => {
  expect(await visit({})).toMatchObject({ status: 'finished', proof_note: null });
});

test('both codes in time prove the visit, with the times between the scans, on public boards too', async () => {
  const activity = await visit({ at_start: scanNow(), at_end: scanNow(), minutes: 60 });
  expect(activity).toMatchObject({ status: 'validated', validation: 'venue', proof_note: null });
  // 60 minutes between the scans, though the athlete says 90.
  expect([activity.points, activity.score.minutes]).toEqual([236, 60]);
  expect((await scene.readMyRow()).points).toBe(236);
  const { proofs } = await scene.readMine(activity.client_id);
  // The start scan is no longer listed as waiting.
  expect(proofs).toMatchObject([{ method: 'venue', outcome: 'in_force', by: null }]);
});

test('a finish that is sent twice proves once', async () => {
  const client_id = randomUUID();
  const start = { client_id, sport_center_id: scene.center, sport_type: 'climbing' };
  const started_at = iso(Date.now() - 30 * MINUTE_MS);
  await scene.send(scene.athlete, 'POST', '/v1/activities', { ...start, started_at, venue_scan: scanNow() });
  const finish = { op_id: randomUUID(), ended_at: iso(Date.now() + MINUTE_MS), venue_scan: scanNow() };
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => scene.post(scene.athlete, `/v1/activities/${client_id}/finish`, finish)),
  );
  for (const reply of replies) expect(reply.data).toMatchObject({ validation: 'venue' });
  expect(await scene.readLedger()).toEqual([0]);
});

describe('after a finish was taken back,', () => {
  const lateScan = () => scanNow(kiosk, Date.now() - 60_000);
  const finishAgain = async (first: Visit, at_end?: object) => {
    const { client_id } = await visit(first);
    const ops = [{ kind: 'reopen', client_id, op_id: randomUUID() }];
    const { data } = await scene.post(scene.athlete, '/v1/activities/sync', { ops });
    expect(data.results).toMatchObject([{ outcome: 'accepted', activity: { status: 'active' } }]);
    const finish = { ended_at: iso(Date.now()), ...(at_end ? { venue_scan: at_end } : {}) };
    return (await scene.send(scene.athlete, 'POST', `/v1/activities/${client_id}/finish`, finish)).data;
  };

  test.each([
    ['late', () => ({ at_end: lateScan() })],
    ['of another center', () => ({ at_end: scanNow(elsewhere) })],
    ['missing', () => ({})],
  ])('a good code proves the visit though the one before was %s', async (_name, first) => {
    const activity = await finishAgain({ at_start: scanNow(), ...first() }, scanNow());
    expect(activity).toMatchObject({ status: 'validated', validation: 'venue', proof_note: null });
  });

  test('the next finish has its own reason', async () => {
    const activity = await finishAgain({ at_start: scanNow(), at_end: lateScan() });
    expect(activity).toMatchObject({ validation: 'none', proof_note: 'venue_scan_missing' });
  });

  test('the reason of the start remains', async () => {
    const activity = await finishAgain({ at_start: lateScan(), at_end: scanNow() }, scanNow());
    expect(activity).toMatchObject({ validation: 'none', proof_note: 'venue_code_late' });
  });
});

test('an activity that was moved to another center while it ran is not proven by the scan from before', async () => {
  const client_id = randomUUID();
  const start = { client_id, sport_center_id: scene.other_center, sport_type: 'climbing' };
  const started_at = iso(Date.now() - 30 * MINUTE_MS);
  await scene.send(scene.athlete, 'POST', '/v1/activities', { ...start, started_at, venue_scan: scanNow(elsewhere) });
  await scene.edit({ client_id, started_at: 0, ended_at: 0 }, { sport_center_id: scene.center });
  const finish = { ended_at: iso(Date.now()), venue_scan: scanNow() };
  const reply = await scene.send(scene.athlete, 'POST', `/v1/activities/${client_id}/finish`, finish);
  expect(reply.data).toMatchObject({ validation: 'none', proof_note: 'venue_other_center' });
});
