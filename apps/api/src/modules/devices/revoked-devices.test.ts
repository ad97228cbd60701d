import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signInAgain } from '#test/scenes/filled-person.ts';
import { makeClimb, ScanScene } from '#test/scenes/scan-scene.ts';

let scene: ScanScene;
beforeAll(async () => {
  scene = await ScanScene.open();
});
afterAll(() => scene.api.close());
beforeEach(() => scene.renew());

/**
 * Returns the outcomes for a referee who scanned the code offline before or after the key was revoked and sends the
 * scan now.
 */
async function scanAround(giveUp: () => Promise<void>) {
  const climb = makeClimb();
  await scene.record(climb);
  const { payload } = scene.codeOf(climb);
  const before = new Date(Date.now() - 1_000);
  await giveUp();
  const scanned = (at: Date) => ({ scanned_at: at.toISOString(), recorded_offline: true });
  const refused = await scene.validate(scene.referee, payload, scanned(new Date()));
  const accepted = await scene.validate(scene.referee, payload, scanned(before));
  return [refused.code, accepted.data?.outcome ?? accepted.code];
}

const remove = (url: string, headers: { authorization: string }) =>
  scene.api.app.inject({ method: 'DELETE', url, headers });

describe('a code by a key that was given up is refused when it was scanned after that, not when before', () => {
  test('at the end of the session', async () => {
    const { athlete, api } = scene;
    const other = await signInAgain(api, athlete.user.id, 'Tablet');
    const signOut = async () => {
      const { statusCode } = await remove(`/v1/users/sessions/${athlete.session_id}`, other.headers);
      expect(statusCode).toBe(200);
      scene.athlete = { ...athlete, ...other };
    };
    expect(await scanAround(signOut)).toEqual(['device_revoked', 'accepted']);
  });

  test('by its owner', async () => {
    const giveUp = async () => {
      const { statusCode } = await remove(`/v1/devices/${scene.device.key_id}`, scene.athlete.headers);
      expect(statusCode).toBe(200);
    };
    expect(await scanAround(giveUp)).toEqual(['device_revoked', 'accepted']);
  });

  test('on another node, which has seen the key before', async () => {
    const first = makeClimb(30);
    await scene.record(first);
    expect((await scene.validate(scene.referee, scene.codeOf(first).payload)).status).toBe(200);
    const earlier = { ...makeClimb(30), ended_at: first.started_at, started_at: first.started_at - 1_800_000 };
    await scene.record(earlier);
    const { payload } = scene.codeOf(earlier);
    // Like another process: this one gets no notification.
    await scene.api.database
      .updateTable('devices')
      .set({ revoked_at: new Date() })
      .where('id', '=', scene.device.key_id)
      .execute();
    expect((await scene.validate(scene.referee, payload)).code).toBe('device_revoked');
  });
});

test('an unknown key is refused', async () => {
  const climb = makeClimb();
  await scene.record(climb);
  const { payload } = scene.codeOf(climb, { key_id: randomUUID() });
  expect((await scene.validate(scene.referee, payload)).code).toBe('device_unknown');
});

test('a key counts as used when a code of it was scanned, so that it does not give way', async () => {
  const climb = makeClimb();
  await scene.record(climb);
  const yesterday = new Date(Date.now() - 2 * 86_400_000);
  const { key_id } = scene.device;
  await scene.api.database.updateTable('devices').set({ last_used_at: yesterday }).where('id', '=', key_id).execute();
  const before = Date.now();
  expect((await scene.validate(scene.referee, scene.codeOf(climb).payload)).status).toBe(200);
  const { headers } = scene.athlete;
  const { items } = (await scene.api.app.inject({ url: '/v1/devices', headers })).json().data;
  expect(Date.parse(items[0].last_used_at)).toBeGreaterThanOrEqual(before);
});
