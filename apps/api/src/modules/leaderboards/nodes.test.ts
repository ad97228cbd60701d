import type { LeaderboardRow } from '@sendlap/contract/leaderboards.ts';
import { isoWeekAt, seasonKey } from '@sendlap/domain/dates.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { makeClimb, ScanScene } from '#test/scenes/scan-scene.ts';

let scene: ScanScene;
let other_node: TestApp;
beforeAll(async () => {
  scene = await ScanScene.open();
  other_node = await buildTestApp({ database_url: scene.api.database_url });
});
beforeEach(() => scene.renew());
afterAll(async () => {
  await other_node.close();
  await scene.api.close();
});

async function readPoints(node: TestApp, who: SignedIn, query = ''): Promise<number[]> {
  const url = `/v1/leaderboards?sport_center_id=${scene.center}&limit=100${query}`;
  const reply = await node.app.inject({ url, headers: who.headers });
  return reply.json().data.items.map(({ points }: LeaderboardRow) => points);
}

/** Returns the week of the climb: on a Monday night it may not be the current week. */
async function validate(minutes: number): Promise<string> {
  const climb = makeClimb(minutes);
  await scene.record(climb);
  const { payload } = scene.codeOf(climb);
  expect((await scene.validate(scene.referee, payload)).status).toBe(200);
  return isoWeekAt(climb.started_at, 'Europe/Madrid');
}

test('an activity validated here is on every board at once, and soon on those of another node', async () => {
  const nodes = [scene.api, other_node];
  for (const node of nodes) expect(await readPoints(node, scene.referee, '&period=all')).toEqual([]);
  // 90 minutes at 3.94 MET.
  const week = await validate(90);
  for (const period of [`week&key=${week}`, `season&key=${seasonKey(week)}`, 'all']) {
    for (const rest of ['', '&sport=climbing', '&scope=friends']) {
      const who = rest.includes('friends') ? scene.athlete : scene.referee;
      expect(await readPoints(scene.api, who, `&period=${period}${rest}`), `${period} ${rest}`).toEqual([355]);
    }
    expect(await readPoints(scene.api, scene.referee, `&period=${period}&sport=swimming`)).toEqual([]);
  }
  await expect.poll(() => readPoints(other_node, scene.referee, '&period=all')).toEqual([355]);
});

test('an athlete who hides on one node soon leaves the boards of another', async () => {
  await validate(60);
  const mine = await readPoints(scene.api, scene.referee, '&period=all');
  await expect.poll(() => readPoints(other_node, scene.referee, '&period=all')).toEqual(mine);
  const payload = { boards: false };
  await scene.api.app.inject({
    method: 'PATCH',
    url: '/v1/users/settings',
    headers: scene.athlete.headers,
    payload,
  });
  const without = await readPoints(scene.api, scene.referee, '&period=all');
  expect(without).toHaveLength(mine.length - 1);
  await expect.poll(() => readPoints(other_node, scene.referee, '&period=all')).toEqual(without);
});
