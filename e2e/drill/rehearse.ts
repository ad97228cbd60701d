import { chmod, copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Operator, openOperator } from '../../apps/api/test/app/operator.ts';
import { afterDelay } from '../../apps/api/test/delays.ts';
import { fillChats, makePairs } from '../../apps/api/test/measured/chat-people.ts';
import { readServerRows } from '../offline/server-rows.ts';
import { startServer, type WholeServer } from '../server/server.ts';
import { type Club, findCenter, isSince, type Member, makeNewer, openMembers } from './people.ts';
import { type KindResult, readResults } from './restore-results.ts';
import { runSendlapWell } from './sendlap.ts';

/** As many as the restore adds to each counter, see `restoreBackup`. */
const EPOCH_EVENTS = 1_000_000_000;
const DEEDS_EACH = 4;
const LOAD_PAUSE_MS = 700;

export interface RehearsalSize {
  per_kind: number;
  chats: number;
  messages_per_chat: number;
}

interface RehearsalOptions extends RehearsalSize {
  /** For the backup and the secret of the server; both stay. */
  backup_file: string;
  secret_file: string;
  /** Takes the new epoch back after the restore. */
  undoes_epoch: boolean;
  /** Opens the public address, which leads to the port that `target_port` names at each connection. */
  openLine: (target_port: () => number) => Promise<Line>;
}

/** A network that cuts some replies. */
interface Line {
  port: number;
  cuts(): number;
  close(): Promise<void>;
}

export interface Rehearsal {
  kinds: KindResult[];
  rows: number;
  cuts: number;
  backup_s: number;
  restore_s: number;
  /** Acknowledged while the backup ran. */
  during_backup: number;
}

/**
 * A server is filled, and backed up while phones work; they work on; the server dies and its folder is deleted; the backup
 * is restored into an empty folder, at another port; the phones come back, with work of the time between.
 */
export async function rehearse(options: RehearsalOptions): Promise<Rehearsal> {
  const folder = await mkdtemp(join(tmpdir(), 'sendlap-drill-'));
  // The account of the database enters it too.
  await chmod(folder, 0o711);
  const open: Open = { folder, members: [], port: 0, env: {} };
  const line = await options.openLine(() => open.port);
  open.env = {
    ...{ PUBLIC_URL: `http://localhost:${line.port}`, TRUST_PROXY: '1', DRAIN_S: '0' },
    ...{ BACKUP_KEEP: '0', LOG_LEVEL: 'silent' },
  };
  try {
    const until_backup = await backUpUnderLoad(options, open);
    const database_id = await loseServer(options, open);
    const since = await restoreServer(options, open, database_id);
    return { ...until_backup, ...since, cuts: line.cuts() };
  } finally {
    for (const { phone } of open.members) phone.close();
    await open.club?.operator.close();
    await open.server?.remove();
    await line.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Open {
  folder: string;
  /** Settings of the server, whichever it is. */
  env: Record<string, string>;
  /** Of the server to which the public address leads. */
  port: number;
  server?: WholeServer;
  club?: Club;
  members: Member[];
}

async function openServer(open: Open, data_dir?: string): Promise<Club> {
  const folder = data_dir === undefined ? {} : { data_dir };
  const server = await startServer({ env: open.env, is_printing: false, ...folder });
  open.server = server;
  open.port = Number(new URL(server.url).port);
  const operator = await openOperator(server.data_dir);
  open.club = { operator, url: open.env.PUBLIC_URL ?? '', center: await findCenter(operator) };
  return open.club;
}

async function backUpUnderLoad({ backup_file, ...size }: RehearsalOptions, open: Open) {
  const club = await openServer(open);
  const rows = await fill(club.operator, size);
  const members = await openMembers(club, size.per_kind);
  open.members = members;
  const early = members.filter(({ kind }) => !isSince(kind));
  for (const { phone } of early) await phone.signIn();
  await workAndSettle(early);
  const before = countAcknowledged(members);
  const env = { ...open.env, DATA_DIR: open.server?.data_dir ?? '' };
  const backup_s = await timed(() => workWhile(early, () => runSendlapWell(['backup', 'create', backup_file], env)));
  const during_backup = countAcknowledged(members) - before;
  for (const member of members) await makeNewer(club, member);
  await workAndSettle(members);
  // The finishes come while there is no server.
  for (const { phone } of members) await phone.begin();
  await settleAll(members);
  return { rows, backup_s, during_backup };
}

/** Returns the id of the lost database. */
async function loseServer({ secret_file }: RehearsalOptions, { server, club, members }: Open): Promise<string> {
  if (!server || !club) throw new Error('no server runs');
  const { database_id } = await club.operator.database
    .selectFrom('sport_center_version')
    .select('database_id')
    .executeTakeFirstOrThrow();
  await copyFile(join(server.data_dir, 'secret'), secret_file);
  await club.operator.close();
  await server.kill();
  for (const { phone } of members) phone.noteAcknowledged();
  await server.remove();
  for (const member of members) {
    member.phone.setOnline(false);
    await member.phone.finish();
    await work(member);
  }
  return database_id;
}

async function restoreServer(options: RehearsalOptions, open: Open, lost_database_id: string) {
  const { members } = open;
  const data_dir = join(open.folder, 'data');
  await mkdir(data_dir);
  await copyFile(options.secret_file, join(data_dir, 'secret'));
  const env = { ...open.env, DATA_DIR: data_dir };
  const restore_s = await timed(() => runSendlapWell(['backup', 'restore', options.backup_file], env));
  const { operator } = await openServer(open, data_dir);
  if (options.undoes_epoch) {
    await undoEpoch(operator, lost_database_id);
    await open.server?.stop();
    await open.server?.start();
  }
  const restored = await readServerRows(
    operator,
    members.map(({ phone }) => phone.userId()),
  );
  const sign_in_failed = await comeBack(members);
  const unsent = await settleAll(members);
  return { restore_s, kinds: await readResults({ members, sign_in_failed, unsent, restored }, operator) };
}

/** Returns seconds. */
async function timed(run: () => Promise<unknown>): Promise<number> {
  const begun_at = performance.now();
  await run();
  return (performance.now() - begun_at) / 1000;
}

/** Returns the number of messages. */
async function fill(
  { database }: Operator,
  { chats, messages_per_chat }: Pick<RehearsalSize, 'chats' | 'messages_per_chat'>,
): Promise<number> {
  const pairs = await makePairs(database, chats, 1);
  const chat_ids = pairs.map(({ chat_id }) => chat_id);
  await fillChats(database, chat_ids, messages_per_chat);
  return chats * messages_per_chat;
}

async function work({ phone, has_chat }: Member): Promise<void> {
  await phone.begin();
  await phone.finish();
  if (has_chat) await phone.write();
}

async function workAndSettle(members: readonly Member[]): Promise<void> {
  for (let nth = 0; nth < DEEDS_EACH; nth += 1) for (const member of members) await work(member);
  await settleAll(members);
}

async function workWhile(members: readonly Member[], run: () => Promise<unknown>): Promise<void> {
  let is_over = false;
  const running = run().finally(() => {
    is_over = true;
  });
  // Reported below, also if the phones fail first.
  running.catch(() => {});
  while (!is_over) {
    for (const member of members) await work(member);
    await afterDelay(LOAD_PAUSE_MS);
  }
  await running;
}

/** Returns the phones with something left. */
async function settleAll(members: readonly Member[]): Promise<Set<Member>> {
  const left = new Set<Member>();
  await Promise.all(
    members.map(async (member) => {
      if (!(await member.phone.settle())) left.add(member);
    }),
  );
  return left;
}

function countAcknowledged(members: readonly Member[]): number {
  return members.flatMap(({ phone }) => [...phone.actions.values()]).filter((action) => action.acknowledged > 0).length;
}

/** As if the restore had begun no new epoch. */
async function undoEpoch({ database }: Operator, database_id: string): Promise<void> {
  await database.updateTable('sport_center_version').set({ database_id }).execute();
  await database
    .updateTable('user_event_counters')
    .set((counter) => ({ last_seq: counter('last_seq', '-', EPOCH_EVENTS) }))
    .where('last_seq', '>=', EPOCH_EVENTS)
    .execute();
}

/** The network is back on all phones; a user who is signed out signs in. Returns the phones on which that fails. */
async function comeBack(members: readonly Member[]): Promise<Set<Member>> {
  const sign_in_failed = new Set<Member>();
  for (const member of members) {
    const { phone, kind } = member;
    phone.setOnline(true);
    if (kind === 'app loaded again') await phone.reload();
  }
  for (const member of members) {
    const { phone } = member;
    await phone.waitForServer();
    if (!phone.isSignedIn()) await phone.signIn().catch(() => sign_in_failed.add(member));
  }
  return sign_in_failed;
}
