import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SignedIn } from '#test/app/app.ts';
import { runVerb } from '#test/run-verb.ts';
import { type Climb, MINUTE_MS, makeClimb, ScanScene, scanOf } from '#test/scenes/scan-scene.ts';
import { command } from './users-erase.ts';

let scene: ScanScene;

beforeAll(async () => {
  scene = await ScanScene.open();
});
beforeEach(() => scene.renew());
afterAll(() => scene.api.close());

describe('when those who decided are erased', () => {
  const erase = async (who: SignedIn) => {
    expect(await runVerb(scene.api.database, command.run, [who.user.public_id, '--now'])).toMatchObject({ code: 0 });
  };
  const shown = async ({ client_id }: Climb) =>
    (await scene.readMine(client_id)).proofs.map((each: Record<string, unknown>) => [
      each.decision,
      each.outcome,
      each.distance_class,
    ]);

  test('their decisions stay apart, and the decision in force is shown as such', async () => {
    const climb = makeClimb(60, 10);
    await scene.record(climb);
    const roxy = await scene.addReferee('Roxy');
    const now = Date.now();
    await scene.scanAt(roxy, climb, now - MINUTE_MS, { decision: 'reject', distance_class: 'near' });
    await scene.scanAt(scene.referee, climb, now - 3 * MINUTE_MS, { distance_class: 'at' });
    const expected = [
      ['reject', 'overtaken', 'near'],
      ['confirm', 'in_force', 'at'],
    ];
    expect(await shown(climb)).toEqual(expected);
    await erase(scene.referee);
    expect(await shown(climb)).toEqual(expected);
    await erase(roxy);
    expect(await shown(climb)).toEqual(expected);
  });

  test('a scan that waited until it was decided is listed once', async () => {
    const climb = makeClimb(60, 10);
    const scan = scanOf(scene.codeOf(climb).payload, { recorded_offline: true });
    expect((await scene.post(scene.referee, '/v1/activities/validate', scan)).status).toBe(202);
    await scene.record(climb);
    expect(await shown(climb)).toEqual([['confirm', 'in_force', 'unknown']]);
    await erase(scene.referee);
    expect(await shown(climb)).toEqual([['confirm', 'in_force', 'unknown']]);
  });
});
