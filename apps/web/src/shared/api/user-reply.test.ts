import { getMe } from '@sendlap/contract/auth.ts';
import { User } from '@sendlap/contract/users.ts';
import { expect, test } from 'vitest';
import { createTab, NORA } from '#test/unit/fake-server.ts';
import { completeUserReply } from './user-reply.ts';

/** Returns the user that a call reads from this reply. */
async function readUser(body: unknown): Promise<User> {
  const tab = createTab({ 'GET /v1/auth/me': () => Response.json(body) });
  tab.token.set('t', 600);
  return (await tab.call(getMe, {}, { normalizeReply: completeUserReply })).user;
}

test('a user has all fields of the spec [spec 3.user.fields]', async () => {
  expect(Object.keys(User.shape).sort()).toEqual([
    'age',
    'created_at',
    'email',
    'height_cm',
    'id',
    'is_active',
    'name',
    'public_id',
    'weight_kg',
  ]);
  expect(await readUser({ success: true, data: { user: NORA } })).toEqual(NORA);
});

test.each([
  ['a bare user', { id: NORA.id }],
  ['a user in an envelope', { success: true, data: { id: NORA.id } }],
  ['a user in two levels of data', { data: { data: { user: { id: NORA.id } } } }],
])(
  '%s with nothing but an id gets the defaults [spec 3.user.email-empty, 3.user.name-fallback, 3.user.age-default, 3.user.weight-default, 3.user.height-default, 3.user.active-default, 3.user.created-default]',
  async (_, body) => {
    const before = Date.now();
    const { created_at, ...user } = await readUser(body);
    expect(user).toEqual({
      id: NORA.id,
      email: '',
      name: 'User',
      public_id: '',
      age: 0,
      weight_kg: 0,
      height_cm: 0,
      is_active: true,
    });
    expect(Date.parse(created_at)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(created_at)).toBeLessThanOrEqual(Date.now());
  },
);

test('a missing name is the part of the email before the @ [spec 3.user.name-from-email]', async () => {
  expect(await readUser({ user: { id: NORA.id, email: 'iker@example.org' } })).toMatchObject({ name: 'iker' });
});

test.each([null, 'text', [], {}, { user: null }])('%j is left for the schema to refuse', async (body) => {
  await expect(readUser(body)).rejects.toMatchObject({ code: 'UNKNOWN_ERROR' });
});
