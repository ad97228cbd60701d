import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '#api/platform/database.ts';
import { openTestDatabase } from '#test/database.ts';
import { createUserService } from './service.ts';

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
])('the names that a provider tells of %s lose characters that mislead', async (subject, told, name, display_name) => {
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
