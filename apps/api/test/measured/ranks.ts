import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createSessions } from '#api/sessions/sessions.ts';
import { buildTestApp } from '../app/app.ts';
import { makeCenter } from '../factories.ts';
import { makeHistory, timeWrites } from './ranks-work.ts';
import { answer } from './serve.ts';

/** The whole app on the database MEASURED_DATABASE_URL, for a bench that forks it. */
export type RanksOrder =
  | { what: 'athletes'; count: number }
  | { what: 'pauses'; watch: boolean }
  | { what: 'memory' }
  /** Runs so many transactions with and without the writes of ranks and badges: `WriteTimes`. */
  | { what: 'writes'; count: number; who: 'newcomers' | 'veteran' }
  /** Creates a history of so many activities for the first of the athletes. */
  | { what: 'history'; activities: number };

/** Some athletes on the board, each with a bearer token. */
export interface Athletes {
  athletes: { user_id: string; token: string }[];
}

/** The longest pause of the event loop since the watching began. */
export interface Pauses {
  longest_pause_ms: number;
}

const { MEASURED_DATABASE_URL = '' } = process.env;
const scene = await buildTestApp({ database_url: MEASURED_DATABASE_URL, listen: true });
process.on('disconnect', () => void scene.close().then(() => process.exit(0)));
const sessions = createSessions({ database: scene.database, secrets: scene.secrets });
const delays = monitorEventLoopDelay({ resolution: 1 });

async function listAthletes(count: number): Promise<string[]> {
  const rows = await scene.database
    .selectFrom('users')
    .select('id')
    .where('public_id', 'like', 'ranked-%')
    .orderBy('id')
    .limit(count)
    .execute();
  return rows.map(({ id }) => id);
}

async function signInAthletes(count: number): Promise<Athletes> {
  const user_ids = await listAthletes(count);
  const athletes = await Promise.all(
    user_ids.map(async (user_id) => ({ user_id, token: (await sessions.create(user_id, 'Bench')).access_token })),
  );
  return { athletes };
}

/** Times all athletes but the first, each once; or only the first, who may have a history. */
async function timeWritesOf([first = '', ...others]: string[], who: 'newcomers' | 'veteran'): Promise<object> {
  const center = await makeCenter(scene.database);
  const [scanner_id = first] = others;
  return who === 'veteran'
    ? timeWrites(
        scene.database,
        others.map(() => first),
        { center, scanner_id },
      )
    : timeWrites(scene.database, others, { center, scanner_id: first });
}

function watchPauses(watch: boolean): Pauses {
  const longest_pause_ms = delays.max / 1e6;
  if (watch) delays.enable();
  else delays.disable();
  delays.reset();
  return { longest_pause_ms };
}

async function carryOut(order: RanksOrder): Promise<object> {
  switch (order.what) {
    case 'athletes':
      return signInAthletes(order.count);
    case 'pauses':
      return watchPauses(order.watch);
    case 'memory':
      return { rss_bytes: process.memoryUsage.rss() };
    case 'writes':
      return timeWritesOf(await listAthletes(order.count + 1), order.who);
    case 'history': {
      const [first = ''] = await listAthletes(1);
      await makeHistory(scene.database, first, await makeCenter(scene.database), order.activities);
      return {};
    }
  }
}

const { port } = new URL(scene.url);
answer<object, RanksOrder>({ port: Number(port), path: '/', headers: {} }, carryOut);
