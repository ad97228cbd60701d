import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Climb, makeClimb, ScanScene, scanOf } from '#test/scenes/scan-scene.ts';

let scene: ScanScene;

beforeAll(async () => {
  scene = await ScanScene.open();
});
beforeEach(() => scene.renew());
afterAll(() => scene.api.close());

const WORDS = 'Call me on 600 000 000';

async function recorded(): Promise<Climb> {
  const climb = makeClimb(60, 10);
  await scene.record(climb);
  return climb;
}

describe('a scanner without a right', () => {
  test('is not named to the athlete, and their words are not stored', async () => {
    const climb = await recorded();
    const mallory = await scene.api.signIn('Mallory');
    const said = { decision: 'reject', reason: WORDS };
    expect((await scene.validate(mallory, scene.codeOf(climb).payload, said)).code).toBe('not_a_referee');
    const { proofs } = await scene.readMine(climb.client_id);
    expect(proofs).toMatchObject([{ outcome: 'refused', code: 'not_a_referee', by: null, reason: null, count: 1 }]);
    const kept = await scene.api.database.selectFrom('validation_log').selectAll().execute();
    expect(JSON.stringify(kept)).not.toContain(WORDS);
  });

  test('shares one line with all the others, however many scans they send', async () => {
    const climb = await recorded();
    const { payload } = scene.codeOf(climb);
    for (const name of ['Mallory', 'Mo']) {
      const ops = Array.from({ length: 30 }, () => ({
        kind: 'scan',
        client_id: climb.client_id,
        ...scanOf(payload, { decision: 'reject', reason: WORDS }),
      }));
      await scene.post(await scene.api.signIn(name), '/v1/activities/sync', { ops });
    }
    expect((await scene.validate(scene.referee, payload)).data.outcome).toBe('accepted');
    expect((await scene.readMine(climb.client_id)).proofs).toMatchObject([
      { method: null, outcome: 'refused', by: null, reason: null, count: 60 },
      { outcome: 'in_force', by: 'Rex', count: 1 },
    ]);
  });
});

test('a referee whose scan is refused is not quoted either, and at most 20 lines are shown, the decision in force among them', async () => {
  const climb = await recorded();
  expect((await scene.validate(scene.referee, scene.codeOf(climb).payload)).data.outcome).toBe('accepted');
  const roxy = await scene.addReferee('Roxy');
  const old = scene.codeOf(climb, { step: 1 }).payload;
  for (let nth = 0; nth < 25; nth += 1) {
    expect((await scene.validate(roxy, old, { reason: WORDS })).code).toBe('code_expired');
  }
  const { proofs } = await scene.readMine(climb.client_id);
  expect(proofs).toHaveLength(20);
  expect(proofs[0]).toMatchObject({ outcome: 'in_force', by: 'Rex' });
  expect(proofs.at(-1)).toMatchObject({ outcome: 'refused', code: 'code_expired', by: null, reason: null });
});
