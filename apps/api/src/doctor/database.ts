import { sql } from 'kysely';
import { type Database, openDatabase } from '#api/database/database.ts';
import { hasCluster } from '#api/database/embedded-postgres/embedded-postgres.ts';
import { checkDatabase } from '#api/database/prepare-database.ts';
import { dataDir, openStorage, type Storage } from '#api/database/storage.ts';
import { listNodes, type RunningNode } from '#api/events/list-nodes.ts';
import type { Env } from '#api/platform/env.ts';
import { createLogger } from '#api/platform/logger.ts';
import { StartError } from '#api/platform/start-error.ts';
import { VERSION } from '#api/platform/version.ts';
import { checkBackups } from './backups.ts';
import { describeBoxSize } from './box-size.ts';
import { type Finding, findingsOf } from './finding.ts';
import { describeMachinePostgres } from './machine-postgres.ts';

const MAX_CLOCK_DIFFERENCE_MS = 2_000;
const MB = 1_000_000;
const on_database = findingsOf('database');

/** An open database with its secret, to be closed by the caller. */
export interface OpenedStorage {
  storage: Storage;
  database: Database;
  is_embedded: boolean;
  close(): Promise<void>;
}

/** Opens the database as the server does, but creates none. Throws a StartError if it cannot be opened. */
export async function openExistingStorage(env: Env): Promise<OpenedStorage | undefined> {
  if (!env.DATABASE_URL && !hasCluster(dataDir(env))) return undefined;
  const storage = await openStorage(env, createLogger('silent', false), 'operator');
  const database = openDatabase(storage.database_url);
  return {
    storage,
    database,
    is_embedded: env.DATABASE_URL === undefined,
    async close() {
      await database.destroy();
      await storage.close();
    },
  };
}

/** Checks all that a start checks, the schema, the clocks, and the nodes that run now. Returns those nodes, too. */
export async function checkOpenedDatabase(
  { storage, database, is_embedded }: OpenedStorage,
  env: Env,
): Promise<{ findings: Finding[]; nodes: RunningNode[] }> {
  try {
    const { server_version, notification_ms, pending_migrations } = await checkDatabase(storage);
    const bytes = await readSize(database);
    const facts = [
      `PostgreSQL ${server_version}`,
      `${Math.ceil(bytes / MB)} MB`,
      'all rights',
      `a notification takes ${Math.ceil(notification_ms)} ms`,
    ];
    const nodes = await listNodes(database);
    const findings = [
      on_database.good(`${storage.location}: ${facts.join(', ')}`),
      ...(is_embedded ? describeBoxSize(bytes) : []),
      ...(is_embedded && !env.POSTGRES_BIN ? describeMachinePostgres(server_version) : []),
      describeSchema(pending_migrations),
      findingsOf('secret').good('SECRET opens the keys in the database'),
      ...(pending_migrations.length > 0 ? [] : [await checkBackups(database, env), await checkPushKey(database)]),
      await compareClocks(database),
      describeNodes(nodes),
    ];
    return { findings, nodes };
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return { findings: [on_database.broken(error.message)], nodes: [] };
  }
}

async function readSize(database: Database): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(database);
  return rows[0]?.bytes ?? 0;
}

function describeSchema(pending_migrations: string[]): Finding {
  const { good, lacking } = findingsOf('schema');
  if (pending_migrations.length === 0) return good(`up to date for version ${VERSION}`);
  return lacking(`the next start brings it up to date: ${pending_migrations.join(', ')}`);
}

/** The keys' encryption was checked with the secret. */
async function checkPushKey(database: Database): Promise<Finding> {
  const { good, lacking } = findingsOf('push');
  const key = await database.selectFrom('signing_keys').select('id').where('purpose', '=', 'push').executeTakeFirst();
  return key
    ? good('the key for notifications is there; doctor sends none')
    : lacking('the first start creates the key for notifications');
}

async function compareClocks(database: Database): Promise<Finding> {
  const { good, broken } = findingsOf('clocks');
  const asked_at = Date.now();
  const { rows } = await sql<{ now_ms: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms`.execute(database);
  const ahead_ms = Math.round((rows[0]?.now_ms ?? 0) - (asked_at + Date.now()) / 2);
  if (Math.abs(ahead_ms) <= MAX_CLOCK_DIFFERENCE_MS) {
    return good(`this machine and the database differ by ${Math.abs(ahead_ms)} ms`);
  }
  const direction = ahead_ms > 0 ? 'ahead of' : 'behind';
  return broken(
    `the clock of the database is ${Math.round(Math.abs(ahead_ms) / 1000)} s ${direction} this machine's: let both follow a time server (NTP)`,
  );
}

function describeNodes(nodes: readonly RunningNode[]): Finding {
  const { good, lacking } = findingsOf('nodes');
  if (nodes.length === 0) return lacking('no server process runs on this database');
  const list = nodes.map(({ version, name }) => `${name} (${version})`).join(', ');
  const versions = new Set([VERSION, ...nodes.map(({ version }) => version)]);
  return versions.size === 1 ? good(list) : lacking(`${list}: restart those whose version is not ${VERSION}`);
}
