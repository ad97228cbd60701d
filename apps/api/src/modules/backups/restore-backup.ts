import type pg from 'pg';
import { databaseErrorCode } from '#api/database/database.ts';
import { DELETED_USER_ID } from '#api/database/deleted-user.ts';
import { readMigration, readMigrationNames } from '#api/database/migrations.ts';
import { START_LOCK } from '#api/database/start-lock.ts';
import { NODE_LOCK } from '#api/events/event-channel.ts';
import { toOneLine } from '#api/platform/start-error.ts';
import { ACCESS_TOKEN_PURPOSE } from '#api/sessions/access-tokens.ts';
import type { TableSum } from './header.ts';
import { loadBackup } from './load-backup.ts';
import type { CheckedBackup } from './read-backup.ts';
import { BackupRefused } from './refusal.ts';
import { quoteOwnTables, withCopyClient } from './schema.ts';

/** More events than any user's stream gets between two backups. */
const EPOCH_EVENTS = 1_000_000_000;
/** The functions of the migrations' triggers. Other programs may have triggers on our tables, with functions of their own. */
const TRIGGER_FUNCTIONS = [
  'note_user_change',
  'note_bio_info_change',
  'note_sport_center_url',
  'note_sport_center_change',
];
const OTHERS_DEPEND = '2BP01';

export interface RestoreOptions {
  /** A database without users. */
  database_url: string;
  /** Brings the schema up to date. Not called for a server that is refused: it may have an older schema. */
  prepare?: () => Promise<unknown>;
  /** Runs when everything is loaded; if it throws, nothing is restored. */
  beforeCommit?: () => Promise<void>;
}

/**
 * Restores the backup, in one transaction: schema, rows, comparison, later migrations, and a new epoch. Throws
 * BackupRefused if the server has users or runs.
 */
export async function restoreBackup(
  backup: CheckedBackup,
  { database_url, prepare = async () => {}, beforeCommit = async () => {} }: RestoreOptions,
): Promise<TableSum[]> {
  return withCopyClient(database_url, async (client) => {
    await assertStopped(client);
    await assertEmpty(client);
    await prepare();
    await client.query('begin');
    await client.query('lock table users in access exclusive mode');
    await assertEmpty(client);
    await dropSchema(client);
    const sums = await loadBackup(client, backup);
    for (const name of (await readMigrationNames()).slice(backup.header.migrations.length))
      await client.query(await readMigration(name));
    await beginEpoch(client);
    await client.query(`analyze ${(await quoteOwnTables(client)).join(', ')}`);
    await beforeCommit();
    await client.query('commit');
    return sums;
  });
}

/**
 * Every node that runs and every one that starts holds one of these locks, shared. Held until the connection ends, so that
 * no node starts during the restore.
 */
async function assertStopped(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ is_stopped: boolean }>(
    `select pg_try_advisory_lock(${START_LOCK}) and pg_try_advisory_lock(${NODE_LOCK}) as is_stopped`,
  );
  if (!rows[0]?.is_stopped) throw new BackupRefused('Sendlap runs on this database: stop it first, on every node.');
}

async function assertEmpty(client: pg.Client): Promise<void> {
  const schema = await client.query<{ is_there: boolean }>(`select to_regclass('users') is not null as is_there`);
  if (!schema.rows[0]?.is_there) return;
  const { rows } = await client.query<{ users: number }>('select count(*)::int as users from users where id <> $1', [
    DELETED_USER_ID,
  ]);
  const users = rows[0]?.users ?? 0;
  if (users > 0)
    throw new BackupRefused(
      `This server has ${users} ${users === 1 ? 'user' : 'users'}: restore into an empty one (another DATA_DIR or DATABASE_URL).`,
    );
}

/** Drops our tables, with what another program made on them (triggers, indexes, grants), and the functions of our triggers. */
async function dropSchema(client: pg.Client): Promise<void> {
  try {
    await client.query(`drop table ${(await quoteOwnTables(client)).join(', ')}`);
    await client.query(`drop function if exists ${TRIGGER_FUNCTIONS.map((name) => `${name}()`).join(', ')}`);
  } catch (error) {
    if (databaseErrorCode(error) !== OTHERS_DEPEND) throw error;
    const { detail = '' } = error as { detail?: string };
    throw new BackupRefused(
      `Other objects depend on Sendlap's tables (${toOneLine(detail)}): drop them, or restore into another database.`,
    );
  }
}

/**
 * Devices may have read more than the backup has. A jump of every event counter leaves a gap after each position that a
 * device may know, whatever is appended later: its stream then begins with `resync`. Copies of centers belong to a database.
 * Access tokens from before are refused, so that a device learns of the epoch, with its next token, before it sends more.
 */
async function beginEpoch(client: pg.Client): Promise<void> {
  await client.query(
    `insert into user_event_counters (user_id, last_seq) select id, ${EPOCH_EVENTS} from users where id <> $1
     on conflict (user_id) do update set last_seq = user_event_counters.last_seq + ${EPOCH_EVENTS}`,
    [DELETED_USER_ID],
  );
  await client.query('delete from signing_keys where purpose = $1', [ACCESS_TOKEN_PURPOSE]);
  await client.query('update sport_center_version set database_id = gen_random_uuid(), version = version + 1');
}
