import { join } from 'node:path';
import { sql } from 'kysely';
import type { Database } from '#api/database/database.ts';
import { socketUrl } from '#api/database/embedded-postgres/postmaster.ts';
import { readPidFile } from '#api/database/embedded-postgres/process-state.ts';
import { pollUntil } from '../delays.ts';

const PATIENCE_MS = 30_000;

/** Causes the fault; the supervisor of PostgreSQL restarts it. */
export type DatabaseFault = () => Promise<void>;

/** A fast shutdown, the end of all connections, an immediate shutdown and a kill of the server's own PostgreSQL. */
export function databaseFaults(data_dir: string, database: Database): DatabaseFault[] {
  return [
    () => endPostmaster(data_dir, 'SIGINT'),
    () => endConnections(database),
    () => endPostmaster(data_dir, 'SIGQUIT'),
    () => endPostmaster(data_dir, 'SIGKILL'),
  ];
}

/** New connections get their commits confirmed before these are on the disk: a kill of PostgreSQL loses some. */
export async function confirmBeforeWritten(database: Database): Promise<void> {
  await sql`alter database sendlap set synchronous_commit = off`.execute(database);
}

/** The address for another node. It stays the same over restarts. */
export function databaseUrlOf(data_dir: string): string {
  const found = readPidFile(join(data_dir, 'postgres'));
  if (!found) throw new Error(`no PostgreSQL runs in ${data_dir}`);
  return socketUrl(found.socket_dir, 'sendlap');
}

async function endPostmaster(data_dir: string, signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void> {
  // After the fault before, it may still be starting.
  await pollUntil(() => readPid(data_dir) !== undefined, { patience_ms: PATIENCE_MS });
  const pid = readPid(data_dir);
  if (pid === undefined) throw new Error(`no PostgreSQL runs in ${data_dir}: this would be no fault`);
  process.kill(pid, signal);
  if (await pollUntil(() => readPid(data_dir) !== pid, { patience_ms: PATIENCE_MS })) return;
  throw new Error(`${signal} did not end PostgreSQL`);
}

function readPid(data_dir: string): number | undefined {
  return readPidFile(join(data_dir, 'postgres'))?.pid;
}

async function endConnections(database: Database): Promise<void> {
  const all = sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where backend_type = 'client backend' and pid <> pg_backend_pid()
  `;
  // The pool's own connection may belong to a server that was stopped.
  await all.execute(database).catch(() => {});
}
