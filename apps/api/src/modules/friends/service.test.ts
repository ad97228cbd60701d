import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEventWriter } from '#api/events/events.ts';
import { createUserService } from '#api/modules/users/service.ts';
import { createRecentChanges } from '#api/sessions/recent-changes.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { befriend } from '#test/factories.ts';
import { createFriendService } from './service.ts';

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened.close());

function openFriends() {
  const { database } = opened;
  const now = () => new Date();
  const events = createEventWriter(database);
  return createFriendService({ database, events, changes: createRecentChanges(database), now });
}

function makePeople(count: number) {
  const users = createUserService(opened.database);
  return Promise.all(
    Array.from({ length: count }, () =>
      users.findOrCreate({ issuer: 'test', subject: randomUUID(), email: '', name: 'Ada', display_name: null }),
    ),
  );
}

test('a user without friends has an empty list', async () => {
  const [ada] = await makePeople(1);
  const friends = openFriends();
  expect(await friends.listFriendIds(ada?.id ?? '')).toEqual([]);
});

test('a friendship is seen from both sides, whichever has the lower id [model]', async () => {
  const friends = openFriends();
  const SIZE = 5;
  const pairs = Array.from({ length: SIZE }, (_, one) =>
    Array.from({ length: SIZE - one - 1 }, (__, step) => [one, one + step + 1] as const),
  ).flat();
  await fc.assert(
    fc.asyncProperty(fc.subarray(pairs), async (chosen) => {
      const people = await makePeople(SIZE);
      const idOf = (index: number) => people[index]?.id ?? '';
      for (const [one, other] of chosen) {
        await befriend(opened.database, { user: { id: idOf(one) } }, { user: { id: idOf(other) } });
      }
      const areChosen = (a: number, b: number) =>
        chosen.some(([one, other]) => (one === a && other === b) || (one === b && other === a));
      for (let a = 0; a < SIZE; a += 1) {
        const expected = people.map((_, b) => b).filter((b) => areChosen(a, b));
        expect((await friends.listFriendIds(idOf(a))).sort()).toEqual(expected.map(idOf).sort());
      }
    }),
    { numRuns: 15 },
  );
});
