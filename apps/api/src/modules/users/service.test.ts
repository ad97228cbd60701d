import { UUID_V4_PATTERN } from '@sendlap/domain/ids.ts';
import { PUBLIC_ID_PATTERN } from '@sendlap/domain/public-id.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '#api/database/database.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { createUserService } from './service.ts';

const CLAIMS = { issuer: 'https://id.example', email: '', name: undefined, display_name: null };

let database: Database;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ database, close } = await openTestDatabase());
});
afterAll(() => close());

test.each([
  ['turned', { name: 'Ana\u202e L\u2066o\u2069\u0007', display_name: 'Ana\u202e\u0085Lo' }, 'Ana Lo', 'Ana Lo'],
  ['invisible', { name: '\u202e', display_name: '\u2066 \u2069' }, 'invisible', null],
  ['unnamed', { name: undefined, display_name: null }, 'unnamed', null],
])('the names of %s that a provider sends lose characters that mislead', async (subject, told, name, display_name) => {
  const users = createUserService(database);
  const person = { issuer: 'https://id.example', subject, email: `${subject}@example.org`, ...told };
  const { id } = await users.findOrCreate(person);
  const row = await database
    .selectFrom('users')
    .select(['name', 'display_name'])
    .where('id', '=', id)
    .executeTakeFirst();
  expect(row).toEqual({ name, display_name });
});

test('a new user has the fields and the defaults of the spec [spec 1.audience.account, 3.user.fields, 3.user.active-default, 3.user.created-default]', async () => {
  const users = createUserService(database);
  const before = Date.now() - 1;
  const made = await users.findOrCreate({ ...CLAIMS, subject: 'defaults' });
  expect(made).toEqual({
    id: expect.stringMatching(UUID_V4_PATTERN),
    email: '',
    name: 'User',
    public_id: expect.stringMatching(PUBLIC_ID_PATTERN),
    age: 0,
    weight_kg: 0,
    height_cm: 0,
    is_active: true,
    created_at: expect.any(String),
  });
  // The clock of the database, which runs on the same machine here.
  expect(Date.parse(made.created_at)).toBeGreaterThan(before - 1_000);
  expect(Date.parse(made.created_at)).toBeLessThan(Date.now() + 1_000);
  expect(await users.find(made.id)).toEqual(made);
  expect(await users.findOrCreate({ ...CLAIMS, subject: 'defaults' })).toEqual(made);
});

test('a missing name is the part of the e-mail before the @ [spec 3.user.name-from-email]', async () => {
  const claims = { ...CLAIMS, subject: 'mailed', email: 'ana.lo@example.org' };
  expect(await createUserService(database).findOrCreate(claims)).toMatchObject({
    name: 'ana.lo',
    email: 'ana.lo@example.org',
  });
});

test('with neither the name is User, and the e-mail empty [spec 3.user.name-fallback, 3.user.email-empty]', async () => {
  const made = await createUserService(database).findOrCreate({ ...CLAIMS, subject: 'unknown' });
  expect(made).toMatchObject({ name: 'User', email: '' });
});
