import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Database } from '#api/database/database.ts';
import { createSecrets } from '#api/database/secrets.ts';
import { readAllTables } from '#test/database/all-tables.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { type CheckedBackup, checkBackup } from './read-backup.ts';
import { restoreBackup } from './restore-backup.ts';
import { verifyBackup } from './verify-backup.ts';
import { writeBackup } from './write-backup.ts';

let folder: string;
let source: Awaited<ReturnType<typeof openTestDatabase>>;
/** Of a server with one user, beside a shop. */
let backup: CheckedBackup;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sendlap-backups-'));
  source = await openTestDatabase();
  await addUser(source.database);
  await openShop(source.database);
  const file = join(folder, 'shared.sendlap');
  await writeBackup(
    { database_url: source.url, secrets: createSecrets('a secret of 32 characters or more'), now },
    file,
  );
  backup = await checkBackup(file);
});
afterAll(async () => {
  await source?.close();
  await rm(folder, { recursive: true, force: true });
});

const now = () => new Date();

const addUser = (database: Database) =>
  sql`insert into users (id, public_id, name) values (gen_random_uuid(), 'someone', 'Someone')`.execute(database);

/** Another program's tables, with all that a load takes off ours. Its next order has the number 500. */
async function openShop(database: Database): Promise<void> {
  await sql`
    create table shop_orders (id serial primary key, first_id int references shop_orders, buyer text);
    create index shop_orders_buyer on shop_orders (buyer);
    create function shop_note() returns trigger language plpgsql as 'begin new.buyer := upper(new.buyer); return new; end';
    create trigger shop_note before insert on shop_orders for each row execute function shop_note();
    insert into shop_orders (buyer) values ('Ada');
    select setval('shop_orders_id_seq', 500, false)`.execute(database);
}

async function readShop(database: Database) {
  const shop = await sql`
    select (select jsonb_agg(to_jsonb(o)) from shop_orders o) as orders,
      (select jsonb_agg(pg_get_constraintdef(oid) order by conname) from pg_constraint
        where conrelid = 'shop_orders'::regclass) as constraints,
      (select jsonb_agg(indexdef order by indexname) from pg_indexes where tablename = 'shop_orders') as indexes,
      (select jsonb_agg(pg_get_triggerdef(oid) || tgenabled::text order by tgname) from pg_trigger
        where tgrelid = 'shop_orders'::regclass and not tgisinternal) as triggers,
      (select last_value from shop_orders_id_seq) as next_id`.execute(database);
  return shop.rows;
}

async function openTarget() {
  const target = await openTestDatabase();
  onTestFinished(target.close);
  return target;
}

const readUsers = async (database: Database) =>
  (await sql`select public_id from users order by name`.execute(database)).rows;

test("a trial restore beside another program's tables leaves them alone", async () => {
  const before = await readShop(source.database);
  const sums = await verifyBackup(backup, source.url, async () => null);
  expect(sums.map(({ name }) => name)).not.toContain('shop_orders');
  expect(await readShop(source.database)).toEqual(before);
});

test("a backup made beside another program's tables restores without them", async () => {
  const { database, url } = await openTarget();
  await restoreBackup(backup, { database_url: url });
  expect(await readUsers(database)).toEqual(await readUsers(source.database));
  expect(Object.keys(await readAllTables(database))).not.toContain('shop_orders');
});

test("a restore beside another program's tables leaves them, and its functions on ours, alone", async () => {
  const { database, url } = await openTarget();
  await openShop(database);
  await sql`create trigger shop_note before insert on operators for each row execute function shop_note()`.execute(
    database,
  );
  const before = await readShop(database);
  await restoreBackup(backup, { database_url: url });
  expect(await readUsers(database)).toEqual(await readUsers(source.database));
  expect(await readShop(database)).toEqual(before);
});

test("a restore that would take another program's constraint off is refused and changes nothing", async () => {
  const { database, url } = await openTarget();
  await openShop(database);
  await sql`alter table shop_orders add column user_id uuid constraint shop_user references users`.execute(database);
  const before = [await readShop(database), await readAllTables(database)];
  await expect(restoreBackup(backup, { database_url: url })).rejects.toThrow(
    /^Other objects depend on Sendlap's tables \(constraint shop_user on table shop_orders depends on table users\): drop them, /,
  );
  expect([await readShop(database), await readAllTables(database)]).toEqual(before);
});
