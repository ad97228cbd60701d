import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { type FriendScene, openFriendScene } from '#test/scenes/friend-scene.ts';

const ROUNDS = 20;

let api: TestApp;
let scene: FriendScene;
beforeAll(async () => {
  api = await buildTestApp();
  scene = openFriendScene(api);
});
afterAll(() => api.close());

interface Pair {
  ada: SignedIn;
  bea: SignedIn;
}

/** Runs a race many times, each with new people, several at once so that they interleave. */
async function race(run: (pair: Pair) => Promise<void>): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 4) {
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        const [ada, bea] = (await scene.people('Ada', 'Bea')) as [SignedIn, SignedIn];
        await run({ ada, bea });
      }),
    );
  }
}

/** Reads the state between the two; asserts that both sides and the rows agree. */
async function stateOf({ ada, bea }: Pair): Promise<{ friends: boolean; pending: number }> {
  const [of_ada, of_bea] = [await scene.friends(ada), await scene.friends(bea)];
  expect(of_ada.map(({ id }) => id)).toEqual(of_bea.map(({ id }) => id));
  const pending = await scene.pending(ada);
  expect((await scene.pending(bea)).map(({ id }) => id)).toEqual(pending.map(({ id }) => id));
  expect(of_ada.length).toBeLessThanOrEqual(1);
  return { friends: of_ada.length === 1, pending: pending.length };
}

const FRIENDS = { friends: true, pending: 0 };
const NOTHING = { friends: false, pending: 0 };
const outcome = ({ status, code }: { status: number; code?: string }) => code ?? status;

describe('both at once', () => {
  test('two requests that cross are one friendship, and no request is left', async () => {
    await race(async (pair) => {
      const { ada, bea } = pair;
      const replies = await Promise.all([scene.ask(ada, bea), scene.ask(bea, ada)]);
      expect(replies.map(({ data }) => data.status).sort()).toEqual(['accepted', 'pending']);
      expect(await stateOf(pair)).toEqual(FRIENDS);
    });
  });

  test('the same request twice is one request', async () => {
    await race(async (pair) => {
      const { ada, bea } = pair;
      const replies = await Promise.all([scene.ask(ada, bea), scene.ask(ada, bea), scene.ask(ada, bea)]);
      expect(replies.map(({ replayed }) => replayed).sort()).toEqual([false, true, true]);
      expect(await stateOf(pair)).toEqual({ friends: false, pending: 1 });
    });
  });

  test('accepting twice is one friendship', async () => {
    await race(async (pair) => {
      const id = await scene.request(pair.ada, pair.bea);
      const replies = await Promise.all([scene.accept(pair.bea, id), scene.accept(pair.bea, id)]);
      expect(replies.map(({ status, replayed }) => [status, replayed]).sort()).toEqual([
        [200, false],
        [200, true],
      ]);
      expect(await stateOf(pair)).toEqual(FRIENDS);
      const told = (await scene.eventsOf(pair.ada)).filter(({ type }) => type === 'friend_changed');
      expect(told).toHaveLength(1);
    });
  });

  test.each(['cancel', 'decline'] as const)('accepting and a %s: exactly one of them is done', async (action) => {
    await race(async (pair) => {
      const { ada, bea } = pair;
      const id = await scene.request(ada, bea);
      const replies = await Promise.all([scene.accept(bea, id), scene[action](action === 'cancel' ? ada : bea, id)]);
      expect(replies.map(outcome).map(String).sort()).toEqual(['200', 'friend_request_decided']);
      expect(await stateOf(pair)).toEqual(replies[0].status === 200 ? FRIENDS : NOTHING);
    });
  });

  test('removing from both sides: one ends it, the other repeats', async () => {
    await race(async (pair) => {
      const id = await scene.meet(pair.ada, pair.bea);
      const replies = await Promise.all([scene.remove(pair.ada, id), scene.remove(pair.bea, id)]);
      expect(replies.map(({ status, replayed }) => [status, replayed]).sort()).toEqual([
        [200, false],
        [200, true],
      ]);
      expect(await stateOf(pair)).toEqual(NOTHING);
    });
  });

  test('removing and a late repeat of accepting: no friendship comes back', async () => {
    await race(async (pair) => {
      const id = await scene.meet(pair.ada, pair.bea);
      const [accepted, removed] = await Promise.all([scene.accept(pair.bea, id), scene.remove(pair.ada, id)]);
      expect([200, 'friend_request_decided']).toContain(outcome(accepted));
      expect(removed.status).toBe(200);
      expect(await stateOf(pair)).toEqual(NOTHING);
    });
  });

  test.each(['accept', 'ask'] as const)(
    'a block and %s: in either order no friendship and no request is left',
    async (action) => {
      await race(async (pair) => {
        const { ada, bea } = pair;
        const id = await scene.request(ada, bea);
        const [blocked, done] = await Promise.all([
          scene.block(ada, bea),
          action === 'accept' ? scene.accept(bea, id) : scene.ask(bea, ada),
        ]);
        expect(blocked.status).toBe(201);
        expect([200, 201, 'friend_request_decided', 'user_not_found']).toContain(outcome(done));
        expect(await stateOf(pair)).toEqual(NOTHING);
      });
    },
  );

  test('every act of two friends at once: no deadlock, and both see the same', async () => {
    await race(async (pair) => {
      const { ada, bea } = pair;
      const id = await scene.request(ada, bea);
      const replies = await Promise.all([
        scene.accept(bea, id),
        scene.remove(ada, id),
        scene.block(bea, ada),
        scene.ask(bea, ada),
        scene.unblock(bea, ada),
        scene.ask(ada, bea),
        scene.cancel(ada, id),
      ]);
      for (const { status } of replies) expect(status).toBeLessThan(500);
      await stateOf(pair);
    });
  });
});
