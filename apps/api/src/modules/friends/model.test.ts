import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { type FriendReply, type FriendScene, openFriendScene } from '#test/scenes/friend-scene.ts';

const SIZE = 4;
const ACTIONS = ['ask', 'accept', 'decline', 'cancel', 'remove', 'block', 'unblock'] as const;
type Action = (typeof ACTIONS)[number];

let api: TestApp;
let scene: FriendScene;
beforeAll(async () => {
  api = await buildTestApp();
  scene = openFriendScene(api);
});
afterAll(() => api.close());

/** A request as the model has it; its id is also that of the friendship it makes. */
interface Ask {
  id: string;
  from: number;
  to: number;
  state: 'pending' | 'accepted' | 'declined' | 'cancelled';
}

/** Reference model of requests, friendships and blocks. */
class Model {
  readonly asks: Ask[] = [];
  readonly friends = new Map<string, string>();
  readonly blocks = new Set<string>();

  pairOf(one: number, other: number): string {
    return [one, other].sort().join('-');
  }

  isHidden(one: number, other: number): boolean {
    return this.blocks.has(`${one}>${other}`) || this.blocks.has(`${other}>${one}`);
  }

  pendingOf(one: number, other: number): Ask | undefined {
    return this.asks.find(
      ({ from, to, state }) => state === 'pending' && this.pairOf(from, to) === this.pairOf(one, other),
    );
  }

  /** The expected reply: a status, and whether it is a repeat. */
  ask(me: number, other: number, id: string): string {
    if (this.isHidden(me, other)) return '404';
    if (this.friends.has(this.pairOf(me, other))) return '201 repeat accepted';
    const pending = this.pendingOf(me, other);
    if (pending?.from === me) return '201 repeat pending';
    if (pending) {
      pending.state = 'accepted';
      this.friends.set(this.pairOf(me, other), pending.id);
      return '201 accepted';
    }
    this.asks.push({ id, from: me, to: other, state: 'pending' });
    return '201 pending';
  }

  decide(me: number, ask: Ask, action: 'accept' | 'decline' | 'cancel'): string {
    if (me !== (action === 'cancel' ? ask.from : ask.to)) return '404';
    const wanted = { accept: 'accepted', decline: 'declined', cancel: 'cancelled' } as const;
    const pair = this.pairOf(ask.from, ask.to);
    if (ask.state === 'pending') {
      ask.state = wanted[action];
      if (action === 'accept') this.friends.set(pair, ask.id);
      return '200';
    }
    if (ask.state !== wanted[action]) return '409';
    if (action === 'accept' && this.friends.get(pair) !== ask.id) return '409';
    return '200 repeat';
  }

  remove(me: number, ask: Ask): string {
    if (ask.state !== 'accepted' || (me !== ask.from && me !== ask.to)) return '404';
    const pair = this.pairOf(ask.from, ask.to);
    if (this.friends.get(pair) !== ask.id) return '200 repeat';
    this.friends.delete(pair);
    return '200';
  }

  block(me: number, other: number): string {
    const key = `${me}>${other}`;
    if (this.blocks.has(key)) return '201 repeat';
    this.blocks.add(key);
    this.friends.delete(this.pairOf(me, other));
    const pending = this.pendingOf(me, other);
    if (pending) pending.state = pending.from === me ? 'cancelled' : 'declined';
    return '201';
  }

  unblock(me: number, other: number): string {
    return this.blocks.delete(`${me}>${other}`) ? '200' : '200 repeat';
  }
}

function summaryOf({ status, replayed, data }: FriendReply<unknown>): string {
  const state =
    status === 201 && data !== null && typeof data === 'object' && 'status' in data ? ` ${data.status}` : '';
  return `${status}${replayed ? ' repeat' : ''}${state}`;
}

interface Step {
  action: Action;
  me: number;
  other: number;
  /** Which of the existing requests, counted from the newest. */
  nth: number;
}

async function play(model: Model, people: SignedIn[], { action, me, other, nth }: Step): Promise<void> {
  const [mine, theirs] = [people[me], people[other]];
  if (!mine || !theirs) return;
  if (action === 'ask') {
    const reply = await scene.ask(mine, theirs);
    const id = reply.data?.status === 'pending' ? reply.data.request.id : '';
    expect(summaryOf(reply)).toBe(model.ask(me, other, id));
    return;
  }
  if (action === 'block' || action === 'unblock') {
    expect(summaryOf(await scene[action](mine, theirs))).toBe(model[action](me, other));
    return;
  }
  const ask = model.asks.at(-1 - (nth % Math.max(1, model.asks.length)));
  if (!ask) return;
  const expected = action === 'remove' ? model.remove(me, ask) : model.decide(me, ask, action);
  expect(summaryOf(await scene[action](mine, ask.id))).toBe(expected);
}

/** Compares the lists of all users with the model. */
async function compare(model: Model, people: SignedIn[]): Promise<void> {
  const idOf = (index: number) => people[index]?.user.id;
  await Promise.all(
    people.map(async (who, me) => {
      const others = people.flatMap((_, other) => (other === me ? [] : [other]));
      const friends = others.flatMap((other) => {
        const id = model.friends.get(model.pairOf(me, other));
        return id === undefined ? [] : [[id, idOf(other)].join()];
      });
      expect((await scene.friends(who)).map(({ id, friend_id }) => [id, friend_id].join()).sort()).toEqual(
        friends.sort(),
      );
      const pending = model.asks.flatMap(({ id, from, to, state }) => {
        if (state !== 'pending' || (from !== me && to !== me)) return [];
        return [from === me ? `${id} outgoing ${idOf(to)}` : `${id} incoming ${idOf(from)}`];
      });
      const listed = await scene.pending(who);
      expect(listed.map(({ id, direction, user }) => `${id} ${direction} ${user.id}`).sort()).toEqual(pending.sort());
      const blocks = others.filter((other) => model.blocks.has(`${me}>${other}`)).map(idOf);
      expect((await scene.blocks(who)).map(({ id }) => id).sort()).toEqual(blocks.sort());
    }),
  );
}

test('after any acts of four people, their lists equal those of a plain model [model]', async () => {
  const step = fc
    .record({
      action: fc.oneof({ weight: 3, arbitrary: fc.constant<Action>('ask') }, fc.constantFrom(...ACTIONS)),
      me: fc.nat(SIZE - 1),
      distance: fc.integer({ min: 1, max: SIZE - 1 }),
      nth: fc.nat(3),
    })
    .map(({ distance, ...each }) => ({ ...each, other: (each.me + distance) % SIZE }));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 20 }), async (steps) => {
      const people = await scene.people('Ada', 'Bea', 'Cleo', 'Dan');
      const model = new Model();
      for (const each of steps) {
        await play(model, people, each);
        await compare(model, people);
      }
    }),
    { numRuns: 5 },
  );
}, 120_000);
