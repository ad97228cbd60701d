import { afterDelay, pollUntil } from '../../apps/api/test/delays.ts';
import type { Hop } from '../proxies/configurations.ts';
import { type Failure, type Load, startLoad } from './callers.ts';
import { type Cluster, openCluster, SECRET } from './cluster.ts';
import { type Followers, openFollowers } from './followers.ts';
import { makePeople } from './people.ts';

/** Longer than the interval at which streams poll for what a killed node could not announce (30 s). */
const SETTLE_MS = 45_000;
const UNDISTURBED_MS = 1_000;
/** How long a node is away, as for an update; longer than HAProxy retries at one node (3 s). */
const AWAY_MS = 5_000;
/** nginx leaves out a node that refused a connection for 10 s: a kill is to find both nodes in use. */
const RECOVERY_MS = 11_000;

export interface ArmOptions {
  packages: string;
  hop: Hop;
  /** Settings of the nodes. */
  env?: Record<string, string>;
  restarts: number;
  least_requests: number;
  kills: number;
  database_restarts: number;
  /** How a node is stopped in a rolling restart. */
  stop: 'SIGTERM' | 'SIGKILL';
  /** The tree of a later version, which the nodes run from their restart on. */
  later_root?: string;
  pace_ms: number;
}

export interface Phase {
  faults: number;
  requests: number;
  failures: Failure[];
  /** From a fault until the last failure after it, at most (ms); of a database, from its return. */
  span_ms: number;
  slowest_ms: number;
}

export interface Arm {
  rolling: Phase;
  kill: Phase;
  database: Phase;
  streams: ReturnType<Followers['figures']>;
  acknowledged: number;
  lost: number;
  doubled: number;
  /** Messages that no event brought. */
  unheard: number;
}

/** Restarts the nodes in turn, kills each, and restarts PostgreSQL, while callers and streams go on through the proxy. */
export async function runArm(options: ArmOptions): Promise<Arm> {
  const cluster = await openCluster(options.packages, options.hop, options.env);
  try {
    const { operator, url } = cluster;
    const people = await makePeople(operator, SECRET);
    const center = await operator.database.selectFrom('sport_facilities').selectAll().executeTakeFirstOrThrow();
    const followers = openFollowers(url, people.followers);
    await followers.opened;
    const load = startLoad({ url, people, center, pace_ms: options.pace_ms });
    try {
      await afterDelay(UNDISTURBED_MS);
      const phase = (faults: number, play: PhasePlay, least = 0) => runPhase(load, faults, play, least);
      const rolling = await phase(
        options.restarts,
        (nth) => restartNode(cluster, nth, options),
        options.least_requests,
      );
      const streams = { ...followers.figures() };
      const kill = await phase(options.kills, (nth) => killNode(cluster, nth));
      const database = await phase(options.database_restarts, () => restartDatabase(cluster));
      await load.end();
      return { rolling, kill, database, streams, ...(await recount(cluster, load, followers)) };
    } finally {
      await load.end();
      await followers.close();
    }
  } finally {
    await cluster.close();
  }
}

/** Causes one fault. Resolves with the time from which on failures count for the span. */
type PhasePlay = (nth: number) => Promise<number>;

async function runPhase(load: Load, faults: number, play: PhasePlay, least_requests: number): Promise<Phase> {
  const [requests, failures] = [load.requests(), load.failures().length];
  let span_ms = 0;
  for (let nth = 0; nth < faults; nth += 1) {
    const before = load.failures().length;
    const since_ms = await play(nth);
    await afterDelay(UNDISTURBED_MS);
    const times = load
      .failures()
      .slice(before)
      .map(({ at_ms }) => at_ms - since_ms);
    span_ms = Math.max(span_ms, ...times);
  }
  await pollUntil(() => load.requests() - requests >= least_requests, { patience_ms: 300_000, interval_ms: 100 });
  return {
    faults,
    requests: load.requests() - requests,
    failures: load.failures().slice(failures),
    span_ms,
    slowest_ms: load.slowest_ms(),
  };
}

async function restartNode({ nodes }: Cluster, nth: number, { stop, later_root }: ArmOptions): Promise<number> {
  const node = nodes[nth % 2];
  const stopped_at = performance.now();
  await (stop === 'SIGTERM' ? node?.stop() : node?.kill());
  await afterDelay(AWAY_MS);
  await node?.start(later_root);
  return stopped_at;
}

async function killNode({ nodes }: Cluster, nth: number): Promise<number> {
  await afterDelay(RECOVERY_MS);
  const killed_at = performance.now();
  await nodes[nth % 2]?.kill();
  await afterDelay(AWAY_MS);
  await nodes[nth % 2]?.start();
  return killed_at;
}

/** Resolves with the time at which PostgreSQL accepted connections again. */
async function restartDatabase({ postgres }: Cluster): Promise<number> {
  await postgres.restart();
  const back_at = performance.now();
  await afterDelay(AWAY_MS);
  return back_at;
}

/** Compares the acknowledged writes with the rows, and the messages with the events of the streams. */
async function recount({ operator }: Cluster, load: Load, followers: Followers) {
  const { database } = operator;
  const messages = await database.selectFrom('messages').select(['id', 'chat_id', 'sender_id', 'text']).execute();
  const stored = new Set(messages.map(({ id }) => id));
  const activities = await database
    .selectFrom('activities')
    .select(['id', 'user_id', 'started_at', 'status'])
    .execute();
  const finished = new Set(activities.filter(({ status }) => status === 'finished').map(({ id }) => id));
  const starts = new Set(activities.map(({ user_id, started_at }) => `${user_id} ${started_at.toISOString()}`));
  const texts = new Set(messages.map(({ chat_id, sender_id, text }) => `${chat_id} ${sender_id} ${text}`));
  const lost_messages = [...load.messages].filter((id) => !stored.has(id)).length;
  const lost_activities = [...load.activities].filter((id) => !finished.has(id)).length;
  const countUnheard = () => [...load.messages].filter((id) => !followers.heard().has(id)).length;
  await pollUntil(() => countUnheard() === 0, { patience_ms: SETTLE_MS, interval_ms: 200 });
  return {
    acknowledged: load.messages.size + load.activities.size,
    lost: lost_messages + lost_activities,
    doubled: messages.length - texts.size + activities.length - starts.size,
    unheard: countUnheard(),
  };
}
