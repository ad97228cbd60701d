import { LiveEvent } from '@sendlap/contract/events.ts';
import type { LeaderboardRow } from '@sendlap/contract/leaderboards.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { makeCenter } from '#test/factories.ts';
import { type FriendScene, openFriendScene } from '#test/scenes/friend-scene.ts';
import { putScores } from '#test/scenes/put-scores.ts';

const NOW = Date.parse('2026-11-18T12:00:00Z');
const now = () => new Date(NOW);

let api: TestApp;
let scene: FriendScene;
let ada: SignedIn;
let bea: SignedIn;
let center = '';
beforeAll(async () => {
  api = await buildTestApp({
    now,
    seed: async (database) => {
      center = await makeCenter(database);
    },
  });
  scene = openFriendScene(api);
});
beforeEach(async () => {
  [ada, bea] = (await scene.people('Ada', 'Bea')) as [SignedIn, SignedIn];
});
afterAll(() => api.close());

/** Returns a user’s live events about the other, in short: "pending outgoing", "friend", "no friend". */
async function friendEventsOf(who: SignedIn, other: SignedIn): Promise<string[]> {
  return (await scene.eventsOf(who)).map((data) => {
    const event = LiveEvent.parse(data);
    if (event.type === 'friend_request_changed') {
      expect(event.request.user.id).toBe(other.user.id);
      return `${event.status} ${event.request.direction}`;
    }
    if (event.type !== 'friend_changed') return event.type;
    expect(event.friend.friend_id).toBe(other.user.id);
    return event.is_friend ? 'friend' : 'no friend';
  });
}

describe('both get events, each from their side', () => {
  test('of a request, its acceptance and the end of the friendship', async () => {
    const id = await scene.meet(ada, bea);
    await scene.remove(bea, id);
    await scene.remove(ada, id);
    expect(await friendEventsOf(ada, bea)).toEqual(['pending outgoing', 'accepted outgoing', 'friend', 'no friend']);
    expect(await friendEventsOf(bea, ada)).toEqual(['pending incoming', 'accepted incoming', 'friend', 'no friend']);
    const [, , became, ended] = await scene.eventsOf(ada);
    const friend = { id, friend_id: bea.user.id, friend_name: 'Bea', friend_public_id: bea.user.public_id };
    expect(became).toEqual({ type: 'friend_changed', is_friend: true, friend });
    expect(ended).toMatchObject({ is_friend: false, friend: { ...friend, friend_public_id: '' } });
  });

  test('of a refusal and of a withdrawal, without the current public id, and once each', async () => {
    const declined = await scene.request(ada, bea);
    await api.database.updateTable('users').set({ public_id: 'canary-id' }).where('id', '=', bea.user.id).execute();
    await scene.decline(bea, declined);
    await scene.decline(bea, declined);
    expect(JSON.stringify(await scene.eventsOf(ada))).not.toContain('canary-id');
    const cancelled = await scene.request(bea, ada);
    await scene.cancel(bea, cancelled);
    await scene.cancel(bea, cancelled);
    const told = ['pending', 'declined', 'pending', 'cancelled'];
    const ways = ['outgoing', 'outgoing', 'incoming', 'incoming'];
    expect(await friendEventsOf(ada, bea)).toEqual(told.map((word, nth) => `${word} ${ways[nth]}`));
    expect(await friendEventsOf(bea, ada)).toEqual(told.map((word, nth) => `${word} ${ways[3 - nth]}`));
  });

  test('of crossing requests, as of an acceptance', async () => {
    await scene.request(ada, bea);
    await scene.ask(bea, ada);
    expect(await friendEventsOf(ada, bea)).toEqual(['pending outgoing', 'accepted outgoing', 'friend']);
    expect(await friendEventsOf(bea, ada)).toEqual(['pending incoming', 'accepted incoming', 'friend']);
  });

  test('of a block as of a removal, and none without a friendship', async () => {
    await scene.meet(ada, bea);
    await scene.block(ada, bea);
    expect((await friendEventsOf(bea, ada)).slice(2)).toEqual(['friend', 'no friend']);
    expect(await friendEventsOf(bea, ada)).toEqual(
      (await friendEventsOf(ada, bea)).map((word) => word.replace('outgoing', 'incoming')),
    );
    const [cleo, dan] = (await scene.people('Cleo', 'Dan')) as [SignedIn, SignedIn];
    await scene.block(cleo, dan);
    expect([await scene.eventsOf(cleo), await scene.eventsOf(dan)]).toEqual([[], []]);
  });

  test('a refused call sends no event', async () => {
    await scene.ask(ada, ada);
    await scene.accept(bea, await scene.request(ada, bea).then(() => ada.user.id));
    expect(await friendEventsOf(bea, ada)).toEqual(['pending incoming']);
  });
});

describe('public boards', () => {
  async function linksOf(node: TestApp, who: SignedIn): Promise<string[]> {
    const url = `/v1/leaderboards?sport_center_id=${center}`;
    const reply = await node.app.inject({ url, headers: who.headers });
    const items: LeaderboardRow[] = reply.json().data.items;
    return items.flatMap(({ user, is_me }) => (is_me || !user.public_id ? [] : [user.public_id]));
  }

  test('link a friend at once on this node, unlink at once, and other nodes follow', async () => {
    const rows = [ada, bea].map((who, nth) => ({ who, period: '2026-W47', center, points: 30 - nth }));
    await putScores(api.database, rows);
    const other = await buildTestApp({ now, database_url: api.database_url });
    try {
      for (const node of [api, other]) expect(await linksOf(node, ada)).toEqual([]);
      const id = await scene.meet(ada, bea);
      for (const who of [ada, bea]) {
        expect(await linksOf(api, who)).toEqual([who === ada ? bea.user.public_id : ada.user.public_id]);
      }
      await vi.waitFor(async () => expect(await linksOf(other, ada)).toEqual([bea.user.public_id]));
      await scene.remove(bea, id);
      expect(await linksOf(api, ada)).toEqual([]);
      await vi.waitFor(async () => expect(await linksOf(other, ada)).toEqual([]));
    } finally {
      await other.close();
    }
  });
});
