import { type Operator, openOperator } from '../apps/api/test/app/operator.ts';
import { afterDelay, pollUntil } from '../apps/api/test/delays.ts';
import { addAthlete, writeScore } from '../apps/api/test/scenes/rank-rows.ts';
import { type PatroniCluster, startPatroniCluster, unpackCluster } from '../e2e/failover/patroni-cluster.ts';
import { startServer, type WholeServer } from '../e2e/server/server.ts';
import { type Figure, openFigureSheet } from '../tools/programs/figures.ts';
import { sized } from '../tools/programs/program-size.ts';
import { check, runChats } from './chat.ts';

const SECRET = 'failover-'.repeat(6);
const NODES = 2;
const MESSAGES = sized(100_000, 5_000);
/** At least one of each kind, however quick the machine. */
const LEAST_FAULTS = sized(6, 2);
const SWITCH_GOAL_S = 5;
const KILL_GOAL_S = 30;
const BETWEEN_FAULTS = 2_000;
const ATHLETES = 12;
const MOST_POINTS = 2_000;
const BOARD_MS = 10_000;
const WAIT_MS = 300_000;
/** Access tokens live ten minutes: those of a longer run are made with a clock that is so much later. */
const LONGEST_RUN_MS = 7_200_000;
/** Until replies that were on their way have arrived. */
const ANSWERED_MS = 2_000;
const ALONE_MS = 8_000;

/**
 * Two nodes on three database servers, as docs/how-to/run-three-database-servers.md builds them. Writers and
 * readers of chats go on while the leader is switched and killed in turns, and at last both others are killed. No acknowledged message may be lost or
 * doubled; counters, streams and boards must be right without a restart of a node. Control arm: without synchronous
 * replication, a killed leader must lose messages.
 */
export async function run(): Promise<Figure[]> {
  const sheet = openFigureSheet();
  const packages = await unpackCluster();
  if ('missing' in packages) {
    sheet.skipPeer('Patroni', packages.missing);
    return sheet.figures;
  }
  const { arm, pauses } = await runArm(packages.folder, true, MESSAGES);
  check(sheet, 'failovers', arm);
  sheet.goal(
    'longest time without a write, planned switch',
    Math.max(...pauses.switched),
    { at_most: SWITCH_GOAL_S },
    ' s',
  );
  sheet.goal('longest time without a write, killed leader', Math.max(...pauses.killed), { at_most: KILL_GOAL_S }, ' s');
  const control = (await runArm(packages.folder, false, 0)).arm;
  sheet.control('without synchronous replication', control.lost > 0, `${control.lost} of ${control.acknowledged} lost`);
  return sheet.figures;
}

interface Pauses {
  /** Seconds. */
  switched: number[];
  killed: number[];
}

/** Goes on until so many messages are acknowledged. */
async function runArm(packages: string, is_synchronous: boolean, messages: number) {
  const cluster = await startPatroniCluster(packages, is_synchronous);
  const nodes: WholeServer[] = [];
  let operator: Operator | undefined;
  try {
    for (let nth = 0; nth < NODES; nth += 1)
      nodes.push(await startServer({ env: { LOG_LEVEL: 'silent', DATABASE_URL: cluster.url, SECRET } }));
    operator = await openOperator(
      { database_url: cluster.url, secret: SECRET },
      () => new Date(Date.now() + LONGEST_RUN_MS),
    );
    const acknowledged: number[] = [];
    const onAcknowledged = () => acknowledged.push(performance.now());
    const pauses: Pauses = { switched: [], killed: [] };
    const boards = await openBoards(nodes, operator);
    const arm = await runChats({ nodes, operator, keep_ids: true, onAcknowledged }, async () => {
      const database_faults = is_synchronous
        ? await causeFailovers(cluster, { acknowledged, messages, pauses, boards })
        : await killLeaderOnce(cluster, acknowledged);
      return { kills: 0, database_faults };
    });
    return { arm, pauses };
  } finally {
    // Whatever fails here, no program of the cluster may be left.
    await Promise.allSettled([operator?.close(), ...nodes.map((node) => node.remove())]);
    await cluster.remove();
  }
}

interface Failovers {
  /** Times of performance.now(). */
  acknowledged: readonly number[];
  messages: number;
  pauses: Pauses;
  boards: Boards;
}

async function causeFailovers(
  cluster: PatroniCluster,
  { acknowledged, messages, pauses, boards }: Failovers,
): Promise<number> {
  let caused = 0;
  for (; caused < LEAST_FAULTS || acknowledged.length < messages; caused += 1) {
    await cluster.replicates();
    await acknowledgedAgain(acknowledged);
    await boards.change();
    const from = acknowledged.length - 1;
    const is_planned = caused % 2 === 0;
    const killed = is_planned ? await cluster.switchOver() : await cluster.killLeader();
    await acknowledgedAgain(acknowledged);
    (is_planned ? pauses.switched : pauses.killed).push(longestPause(acknowledged.slice(from)));
    await boards.change();
    await boards.check();
    if (killed) cluster.restart(killed);
  }
  await leaveOne(cluster, acknowledged);
  return caused + 1;
}

/** With two of three servers down nothing is acknowledged, and once they are back, writes go on by themselves. */
async function leaveOne(cluster: PatroniCluster, acknowledged: readonly number[]): Promise<void> {
  await cluster.replicates();
  const followers = await cluster.killFollowers();
  await afterDelay(ANSWERED_MS);
  const before = acknowledged.length;
  await afterDelay(ALONE_MS);
  const late = acknowledged.length - before;
  if (late > 0) throw new Error(`${late} messages were acknowledged that only one server has`);
  for (const name of followers) cluster.restart(name);
  await acknowledgedAgain(acknowledged);
}

async function killLeaderOnce(cluster: PatroniCluster, acknowledged: readonly number[]): Promise<number> {
  await acknowledgedAgain(acknowledged);
  await cluster.killLeader();
  await acknowledgedAgain(acknowledged);
  return 1;
}

/** Waits until the writers have gone on for a while. */
async function acknowledgedAgain(acknowledged: readonly number[]): Promise<void> {
  const before = acknowledged.length;
  const since = () => acknowledged.length - before;
  if (await pollUntil(() => since() >= BETWEEN_FAULTS, { patience_ms: WAIT_MS })) return;
  const silent_s = Math.round((performance.now() - (acknowledged.at(-1) ?? 0)) / 1_000);
  throw new Error(`the nodes acknowledged ${since()} messages in ${WAIT_MS / 1_000} s, the last one ${silent_s} s ago`);
}

/** Seconds. */
function longestPause(times: readonly number[]): number {
  return Math.max(...times.slice(1).map((time, nth) => time - (times[nth] ?? time))) / 1_000;
}

interface Boards {
  /** Writes scores, as validations do. */
  change(): Promise<void>;
  /** Throws if a node does not show the rows' board. */
  check(): Promise<void>;
}

async function openBoards(nodes: readonly WholeServer[], operator: Operator): Promise<Boards> {
  const { database } = operator;
  const athletes: string[] = [];
  for (let nth = 0; nth < ATHLETES; nth += 1) athletes.push(await addAthlete(database));
  const { token } = await operator.signIn('Reader of boards');
  const readRows = async () => {
    const rows = await database
      .selectFrom('board_scores')
      .select('points')
      .where('user_id', 'in', athletes)
      .orderBy('points', 'desc')
      .execute();
    return rows.map(({ points }) => points).join(' ');
  };
  const readBoard = async ({ url }: WholeServer) => {
    const reply = await fetch(`${url}/v1/leaderboards?period=all&limit=${ATHLETES}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { data } = (await reply.json()) as { data: { items: { points: number }[] } };
    return data.items.map(({ points }) => points).join(' ');
  };
  return {
    async change() {
      for (const athlete of athletes) {
        const points = 1 + Math.floor(Math.random() * MOST_POINTS);
        const isWritten = () =>
          writeScore(database, athlete, points).then(
            () => true,
            () => false,
          );
        // A connection may belong to a leader that has just ended.
        if (!(await pollUntil(isWritten, { patience_ms: WAIT_MS }))) throw new Error('no score can be written');
      }
    },
    async check() {
      const expected = await readRows();
      for (const node of nodes) {
        const isRight = async () => (await readBoard(node).catch(() => '')) === expected;
        if (await pollUntil(isRight, { patience_ms: BOARD_MS })) continue;
        throw new Error(`${node.url} shows the board ${await readBoard(node)}, the rows say ${expected}`);
      }
    },
  };
}
