import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { befriend } from '#test/factories.ts';
import { type ChatScene, openChatScene } from '#test/scenes/chat-scene.ts';

/** Below the rate limit of messages a minute. */
const STEPS = 50;
const PAIRS: [number, number][] = [
  [0, 1],
  [0, 2],
  [1, 2],
  [2, 3],
];

let api: TestApp;
let scene: ChatScene;
beforeAll(async () => {
  api = await buildTestApp();
  scene = openChatScene(api);
});
afterAll(() => api.close());

interface Said {
  id: string;
  by: number;
  text: string;
  is_read: boolean;
}

/** Reference model of a chat. */
interface Model {
  pair: [number, number];
  chat_id: string;
  friendship_id: string | null;
  blocked_by: number | null;
  said: Said[];
}

const pair = fc.nat({ max: PAIRS.length - 1 });
const person = fc.nat({ max: 3 });
const some = fc.nat({ max: 1_000 });
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('send' as const), pair, who: person, text: fc.nat({ max: 9 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('repeat' as const), pair, which: some, other_text: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('read' as const),
      pair,
      who: person,
      which: fc.array(some, { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('friends' as const), pair }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('block' as const), pair, who: fc.nat({ max: 1 }) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

async function open(people: SignedIn[]): Promise<Model[]> {
  const models: Model[] = [];
  for (const [one, other] of PAIRS) {
    const [first, second] = [people[one], people[other]];
    if (!first || !second) throw new Error('four people');
    const friendship_id = await befriend(api.database, first, second);
    const { data } = await scene.create(first, second.user.id);
    models.push({ pair: [one, other], chat_id: data.id, friendship_id, blocked_by: null, said: [] });
  }
  return models;
}

/** The expected refusal, if any. */
function refusalFor(
  { pair: both, blocked_by, friendship_id }: Model,
  who: number,
  writes: boolean,
): number | undefined {
  if (!both.includes(who) || blocked_by !== null) return 404;
  return writes && friendship_id === null ? 409 : undefined;
}

async function apply(taken: Step, model: Model, people: SignedIn[]): Promise<void> {
  const { chat_id, said } = model;
  const personAt = (index: number) => {
    const found = people[index];
    if (!found) throw new Error('four people');
    return found;
  };
  if (taken.kind === 'send') {
    const [id, text] = [randomUUID(), `Text ${taken.text}`];
    const refused = refusalFor(model, taken.who, true);
    const reply = await scene.send(personAt(taken.who), chat_id, text, id);
    expect(reply.status).toBe(refused ?? 201);
    if (refused === undefined) said.push({ id, by: taken.who, text, is_read: false });
    if (refused === undefined) expect(reply.data.seq).toBe(said.length);
  } else if (taken.kind === 'repeat') {
    const known = said[taken.which % Math.max(said.length, 1)];
    if (!known) return;
    const text = taken.other_text ? `${known.text}!` : known.text;
    const reply = await scene.send(personAt(known.by), chat_id, text, known.id);
    const refused = refusalFor(model, known.by, false) ?? (taken.other_text ? 422 : undefined);
    expect([reply.status, reply.replayed]).toEqual(refused === undefined ? [201, true] : [refused, false]);
    if (refused === undefined) expect(reply.data.seq).toBe(said.indexOf(known) + 1);
  } else if (taken.kind === 'read') {
    const seen = taken.which
      .map((which) => said[which % Math.max(said.length, 1)])
      .filter((each) => each !== undefined);
    const reply = await scene.markRead(
      personAt(taken.who),
      chat_id,
      seen.length > 0 ? seen.map(({ id }) => id) : [randomUUID()],
    );
    const refused = refusalFor(model, taken.who, false) ?? (seen.length > 0 ? undefined : 404);
    expect(reply.status).toBe(refused ?? 200);
    if (refused !== undefined) return;
    for (const each of seen) if (each.by !== taken.who) each.is_read = true;
    expect(reply.data.unreadCount).toBe(unreadOf(model, taken.who));
  } else if (taken.kind === 'friends') {
    if (model.friendship_id !== null) await scene.unfriend(model.friendship_id);
    const [one, other] = model.pair;
    model.friendship_id =
      model.friendship_id === null ? await befriend(api.database, personAt(one), personAt(other)) : null;
  } else {
    const blocker = model.pair[taken.who === 0 ? 0 : 1];
    const blocked = model.pair[taken.who === 0 ? 1 : 0];
    if (model.blocked_by === null) await scene.block(personAt(blocker), personAt(blocked));
    else
      await api.database
        .deleteFrom('blocks')
        .where('blocker_id', '=', personAt(model.blocked_by).user.id)
        .where(
          'blocked_id',
          'in',
          model.pair.map((index) => personAt(index).user.id),
        )
        .execute();
    model.blocked_by = model.blocked_by === null ? blocker : null;
  }
}

const unreadOf = ({ said }: Model, who: number) => said.filter(({ by, is_read }) => by !== who && !is_read).length;

/** Compares the lists and histories of all users. */
async function compare(models: Model[], people: SignedIn[]): Promise<void> {
  for (const [who, signed_in] of people.entries()) {
    const mine = models.filter((model) => refusalFor(model, who, false) === undefined);
    const { data: listed } = await scene.list(signed_in);
    expect(
      listed.map(({ id, unreadCount, last_seq, can_send }) => ({ id, unreadCount, last_seq, can_send })).toSorted(byId),
    ).toEqual(
      mine
        .map((model) => ({
          id: model.chat_id,
          unreadCount: unreadOf(model, who),
          last_seq: model.said.length,
          can_send: model.friendship_id !== null,
        }))
        .toSorted(byId),
    );
    for (const model of mine) {
      const history = await scene.readAll(signed_in, model.chat_id);
      expect(
        history.map(({ id, message, sender_id, read_at, seq }) => [seq, id, message, sender_id, read_at !== null]),
      ).toEqual(
        model.said.map(({ id, text, by, is_read }, index) => [index + 1, id, text, people[by]?.user.id, is_read]),
      );
    }
  }
}

const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);

test('after any sends, repeats, reads, ends and blocks, lists, counters and histories equal those of a simple model', async () => {
  const steps = fc.array(step, { minLength: STEPS, maxLength: STEPS });
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const people = [
        await api.signIn('Ada'),
        await api.signIn('Ben'),
        await api.signIn('Cleo'),
        await api.signIn('Dan'),
      ];
      const models = await open(people);
      for (const [index, each] of taken.entries()) {
        const model = models[each.pair];
        if (model) await apply(each, model, people);
        if (index % 10 === 9) await compare(models, people);
      }
    }),
    { numRuns: 10, endOnFailure: true },
  );
}, 120_000);
