import { changePublicId } from '@sendlap/contract/friends.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';

const DAY_MS = 86_400_000;

let clock_ms = 0;
let api: TestApp;
beforeAll(async () => {
  api = await buildTestApp({ now: () => new Date(Date.now() + clock_ms) });
});
afterAll(() => api.close());

async function change(who: SignedIn, public_id: unknown) {
  const reply = await api.app.inject({
    method: 'PUT',
    url: changePublicId.path,
    headers: who.headers,
    payload: { public_id },
  });
  return { status: reply.statusCode, retry_after: Number(reply.headers['retry-after']), ...reply.json() };
}

async function publicIdOf(who: SignedIn) {
  const row = await api.database
    .selectFrom('users')
    .select('public_id')
    .where('id', '=', who.user.id)
    .executeTakeFirst();
  return row?.public_id;
}

/** Ids that no other test uses. */
let used = 0;
const freshId = () => `id-${(used++).toString().padStart(4, '0')}`;

describe('refusals', () => {
  test.each(['', 'ab', 'a'.repeat(31), 'Ada', 'ada lo', 'adá', 'a/b', 'ada\n', null, 5])(
    'the shape %j is refused',
    async (public_id) => {
      expect(await change(await api.signIn('Ada'), public_id)).toMatchObject({
        status: 400,
        code: 'validation_failed',
      });
    },
  );

  test.each(['admin', 'ad.min', '_admin_', 'sendlap', 'sendlap-support', 'the.send-lap', 'support', 'me.', 'null'])(
    'the reserved id %s is refused as a taken one',
    async (public_id) => {
      const ada = await api.signIn('Ada');
      expect(await change(ada, public_id)).toMatchObject({
        status: 409,
        code: 'public_id_taken',
        message: 'This public id is taken',
      });
      expect(await publicIdOf(ada)).toBe(ada.user.public_id);
    },
  );

  test.each(['deleted-user', 'athlete', '...', '-_-'])('%s belongs to no user', async (public_id) => {
    expect(await change(await api.signIn('Ada'), public_id)).toMatchObject({ status: 409, code: 'public_id_taken' });
  });

  test("another's id, and one held for another, are taken", async () => {
    const [ada, bea] = [await api.signIn('Ada'), await api.signIn('Bea')];
    expect(await change(bea, ada.user.public_id)).toMatchObject({ status: 409, code: 'public_id_taken' });
    expect(await change(ada, freshId())).toMatchObject({ status: 200 });
    expect(await change(bea, ada.user.public_id)).toMatchObject({ status: 409, code: 'public_id_taken' });
    expect(await publicIdOf(bea)).toBe(bea.user.public_id);
  });

  test('a sixth change within 90 days must wait, but old ids can be taken back', async () => {
    const ada = await api.signIn('Ada');
    const ids = [ada.user.public_id, ...Array.from({ length: 5 }, freshId)];
    for (const id of ids.slice(1)) expect(await change(ada, id)).toMatchObject({ status: 200 });
    const refused = await change(ada, freshId());
    expect(refused).toMatchObject({ status: 429, code: 'too_many_requests' });
    expect(refused.retry_after).toBeGreaterThan(89 * 86_400);
    expect(await publicIdOf(ada)).toBe(ids.at(-1));
    expect(await change(ada, ids[2])).toMatchObject({ status: 200 });
  });
});

test('the id changes, the same again is harmless, and the answer holds it [spec 7.friends.public-id]', async () => {
  const [ada, id] = [await api.signIn('Ada'), freshId()];
  expect(await change(ada, id)).toMatchObject({ status: 200, data: { public_id: id } });
  expect(await change(ada, id)).toMatchObject({ status: 200, data: { public_id: id } });
  expect(await publicIdOf(ada)).toBe(id);
  const held = await api.database
    .selectFrom('held_public_ids')
    .select('public_id')
    .where('user_id', '=', ada.user.id)
    .execute();
  expect(held).toEqual([{ public_id: ada.user.public_id }]);
});

test('an old id is free for others after 90 days, not a day before', async () => {
  const [ada, bea] = [await api.signIn('Ada'), await api.signIn('Bea')];
  await change(ada, freshId());
  const later = async (days: number) => {
    clock_ms = days * DAY_MS;
    const again = await api.signIn('Cleo');
    return change(again, ada.user.public_id);
  };
  try {
    expect(await later(89)).toMatchObject({ status: 409 });
    expect(await later(91)).toMatchObject({ status: 200 });
  } finally {
    clock_ms = 0;
  }
  expect(await publicIdOf(bea)).toBe(bea.user.public_id);
});

test('of many who want the same id at once exactly one gets it', async () => {
  for (let round = 0; round < 8; round += 1) {
    const people = await Promise.all(['A', 'B', 'C', 'D'].map((name) => api.signIn(name)));
    const id = freshId();
    const replies = await Promise.all(people.map((who) => change(who, id)));
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 409, 409, 409]);
  }
});

test('no other user can take an id while its owner is changing it', async () => {
  for (let round = 0; round < 8; round += 1) {
    const [ada, bea] = [await api.signIn('Ada'), await api.signIn('Bea')];
    const [left, refused] = await Promise.all([change(ada, freshId()), change(bea, ada.user.public_id)]);
    expect([left.status, refused.status]).toEqual([200, 409]);
  }
});

test('an id is never at two people, current or held, whatever they do [model]', async () => {
  const ids = ['m-one', 'm-two', 'm-three'];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(2), fc.nat(ids.length - 1)), { minLength: 1, maxLength: 8 }),
      async (steps) => {
        await api.database.deleteFrom('held_public_ids').execute();
        const people = await Promise.all(['A', 'B', 'C'].map((name) => api.signIn(name)));
        // Frees the ids of earlier rounds directly, without the call under test.
        for (const id of ids) {
          const gone = { public_id: freshId() };
          await api.database.updateTable('users').set(gone).where('public_id', '=', id).execute();
        }
        const owners = new Map<string, number>();
        for (const [who, which] of steps) {
          const [person, id] = [people[who], ids[which]];
          if (!person || !id) continue;
          const { status } = await change(person, id);
          const owner = owners.get(id);
          expect(status).toBe(owner === undefined || owner === who ? 200 : 409);
          if (owner === undefined) owners.set(id, who);
        }
      },
    ),
    { numRuns: 25 },
  );
}, 60_000);
