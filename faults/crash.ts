import { setTimeout as pause } from 'node:timers/promises';
import { type Operator, openOperator } from '../apps/api/test/app/operator.ts';
import { atExit } from '../apps/api/test/at-exit.ts';
import { confirmBeforeWritten, databaseFaults } from '../apps/api/test/database/database-faults.ts';
import { startServer, type WholeServer } from '../e2e/server/server.ts';
import { type Figure, openFigureSheet } from '../tools/programs/figures.ts';
import { sized } from '../tools/programs/program-size.ts';
import { type WriterTally, type WrittenActivity, writeActivities } from './load/activity-writer.ts';
import { startCuttingProxy } from './load/cutting-proxy.ts';
import { kill, mountSmallDisk, type SmallDisk, serverFaults } from './load/server-faults.ts';

const WRITERS = 16;
const CUT_SHARE = 0.1;
const BETWEEN_FAULTS_MS = 2_500;
const FAULTS = sized(11, 4);
const LONG_FAULTS = 55;
const FULL_DISKS = sized(4, 1);
const FULL_MS = 6_000;
const CONTROL_FAULTS = sized(4, 2);

/**
 * Sixteen athletes start, finish, edit and delete activities through a proxy that cuts every tenth reply, while the
 * server is killed, also while it starts, PostgreSQL is stopped, killed or loses its connections, and the server's
 * clock jumps by an hour and back; then without cuts on a disk that gets full and is freed again. No acknowledged op
 * may be missing, doubled or wrongly refused. Two control arms: new ids for every attempt must show wrong refusals, and
 * a PostgreSQL that confirms before it has written must show losses.
 */
export async function run({ long = false }: { long?: boolean }): Promise<Figure[]> {
  const sheet = openFigureSheet();
  const crashed = await runArm({}, (scene) => causeFaults(scene, long ? LONG_FAULTS : FAULTS));
  sheet.add('crashes', describe(crashed));
  const disk = mountSmallDisk(atExit);
  if ('missing' in disk) sheet.skipPeer('full disk', disk.missing);
  else sheet.add('full disk', describe(await runOnSmallDisk(disk)));
  const new_ids = await runArm({ keep_ids: false }, killServer);
  sheet.control(
    'new ids for every attempt',
    new_ids.wrongly_refused.length > 0,
    `${new_ids.wrongly_refused.length} wrongly refused`,
  );
  const unwritten = await runArm({}, loseCommits);
  sheet.control('confirmed before written', unwritten.lost > 0, `${unwritten.lost} of ${unwritten.activities} lost`);
  return sheet.figures;
}

interface Scene {
  server: WholeServer;
  operator: Operator;
}

interface Arm {
  ops: number;
  activities: number;
  cuts: number;
  repeats: number;
  lost: number;
  doubled: number;
  wrongly_refused: string[];
  /** Number of faults by name. */
  faults: Record<string, number>;
}

interface ArmOptions {
  data_dir?: string;
  cut_share?: number;
  keep_ids?: boolean;
}

/** `disturb` returns the number of faults by name; the server is up when it ends. */
async function runArm(
  { data_dir, cut_share = CUT_SHARE, keep_ids = true }: ArmOptions,
  disturb: (scene: Scene) => Promise<Record<string, number>>,
): Promise<Arm> {
  const server = await startServer({ env: { LOG_LEVEL: 'silent' }, ...(data_dir ? { data_dir } : {}) });
  const proxy = await startCuttingProxy(Number(new URL(server.url).port), cut_share);
  const operator = await openOperator(server.data_dir);
  try {
    const center = await operator.database.selectFrom('sport_facilities').selectAll().executeTakeFirstOrThrow();
    const url = `http://127.0.0.1:${proxy.port}`;
    const running = { until: Number.POSITIVE_INFINITY };
    const athletes = Array.from({ length: WRITERS }, (_, nth) => operator.signIn(`Athlete ${nth}`));
    const signed_in = await Promise.all(athletes);
    const writers = Promise.all(
      signed_in.map(({ token }) => writeActivities({ url, token, center, keep_ids, running })),
    );
    const disturbance = disturb({ server, operator });
    try {
      const faults = await Promise.race([disturbance, writers.then(() => ({}))]);
      running.until = Date.now();
      const tallies = await writers;
      return { ...sum(tallies), cuts: proxy.cuts(), faults, ...(await recount(operator, tallies)) };
    } finally {
      running.until = Date.now();
      // If one of the two has failed, the other must not go on: it would start the removed server again.
      await Promise.allSettled([disturbance, writers]);
    }
  } finally {
    await proxy.close();
    await operator.close();
    await server.remove();
  }
}

function sum(tallies: readonly WriterTally[]): Pick<Arm, 'ops' | 'activities' | 'repeats' | 'wrongly_refused'> {
  const total = (of: (tally: WriterTally) => number) => tallies.reduce((all, tally) => all + of(tally), 0);
  return {
    ops: total(({ acknowledged_ops }) => acknowledged_ops),
    activities: total(({ written }) => written.size),
    repeats: total(({ repeats }) => repeats),
    wrongly_refused: tallies.flatMap(({ wrongly_refused }) => wrongly_refused),
  };
}

/** Compares the rows with the acknowledged activities. `doubled`: rows of one athlete with the same start. */
async function recount(
  { database }: Operator,
  tallies: readonly WriterTally[],
): Promise<{ lost: number; doubled: number }> {
  const rows = await database
    .selectFrom('activities')
    .select(['id', 'user_id', 'started_at', 'ended_at', 'status'])
    .execute();
  const by_id = new Map(rows.map((row) => [row.id, row]));
  const isThere = ({ client_id, status, ended_at }: WrittenActivity) => {
    const row = by_id.get(client_id);
    return row?.status === status && (status !== 'finished' || row.ended_at?.toISOString() === ended_at);
  };
  const lost = tallies.flatMap(({ written }) => [...written.values()]).filter((one) => !isThere(one));
  const distinct = new Set(rows.map((row) => `${row.user_id} ${row.started_at.toISOString()}`));
  return { lost: lost.length, doubled: rows.length - distinct.size };
}

function describe({ ops, cuts, repeats, lost, doubled, wrongly_refused, faults }: Arm): string {
  if (repeats === 0) throw new Error('no op had to be repeated: this proves too little');
  const caused = Object.entries(faults).map(([name, count]) => `${count} × ${name}`);
  const text = `0 of ${ops} ops lost, doubled or wrongly refused; ${cuts} replies cut, ${repeats} repeats, ${caused.join(', ')}`;
  if (lost + doubled + wrongly_refused.length === 0) return text;
  throw new Error(
    `of ${ops} ops ${lost} lost, ${doubled} doubled, ${wrongly_refused} wrongly refused; ${caused.join(', ')}`,
  );
}

async function causeFaults({ server, operator }: Scene, count: number): Promise<Record<string, number>> {
  const faults = serverFaults(server, databaseFaults(server.data_dir, operator.database));
  const caused: Record<string, number> = {};
  for (let nth = 0; nth < count; nth += 1) {
    await pause(BETWEEN_FAULTS_MS);
    const fault = faults[nth % faults.length];
    if (!fault) continue;
    await fault.cause();
    caused[fault.name] = (caused[fault.name] ?? 0) + 1;
  }
  await pause(BETWEEN_FAULTS_MS);
  return caused;
}

function runOnSmallDisk(disk: SmallDisk): Promise<Arm> {
  return runArm({ data_dir: disk.data_dir, cut_share: 0 }, async () => {
    for (let nth = 0; nth < FULL_DISKS; nth += 1) {
      await pause(BETWEEN_FAULTS_MS);
      disk.fill();
      await pause(FULL_MS);
      disk.free();
    }
    await pause(BETWEEN_FAULTS_MS);
    return { 'full disk': FULL_DISKS };
  }).finally(disk.remove);
}

async function killServer({ server }: Scene): Promise<Record<string, number>> {
  for (let nth = 0; nth < CONTROL_FAULTS; nth += 1) {
    await pause(BETWEEN_FAULTS_MS);
    await kill(server);
  }
  return { kill: CONTROL_FAULTS };
}

/** PostgreSQL confirms commits before it has written them, and is killed. */
async function loseCommits({ server, operator }: Scene): Promise<Record<string, number>> {
  await confirmBeforeWritten(operator.database);
  await kill(server);
  const killDatabase = databaseFaults(server.data_dir, operator.database).at(-1);
  for (let nth = 0; nth < CONTROL_FAULTS; nth += 1) {
    await pause(BETWEEN_FAULTS_MS);
    await killDatabase?.();
  }
  await pause(BETWEEN_FAULTS_MS);
  return { kill: CONTROL_FAULTS };
}
