import { openOperator } from '../apps/api/test/app/operator.ts';
import { pollUntil } from '../apps/api/test/delays.ts';
import { startFirefox } from '../e2e/engines/firefox.ts';
import {
  findFinishedWithoutServer,
  finishWithoutServer,
  hurryWithoutServer,
  openScreensWithoutServer,
  removeWorker,
  signUpAndStart,
  type Visitor,
} from '../e2e/engines/main-job.ts';
import { unpackBrowsers } from '../e2e/engines/unpacked-browsers.ts';
import { startWebKit } from '../e2e/engines/webkit.ts';
import { type Server, startServer, type WholeServer } from '../e2e/server/server.ts';
import { type Figure, openFigureSheet } from '../tools/programs/figures.ts';
import { buildIfChanged } from '../tools/project/build.ts';

const SENT_WITHIN_MS = 15_000;

/**
 * The main job in the engines of Safari and Firefox, at the address of `npm start`: sign up, start, then without the
 * server every screen, finish, code, and, where the browser can be killed, a new start. When the server is back, it must
 * get the activity, once, within 15 s. Control arm: the screens without the worker, which must not be there.
 */
export async function run(): Promise<Figure[]> {
  const sheet = openFigureSheet();
  const browsers = await unpackBrowsers();
  if ('missing' in browsers) {
    sheet.skipPeer('WebKit and Firefox', browsers.missing);
    return sheet.figures;
  }
  if (!(await buildIfChanged())) throw new Error('the app could not be built');
  for (const start of [startWebKit, startFirefox]) {
    await using opened = new AsyncDisposableStack();
    const server = opened.adopt(await startServer({ is_printing: false }), (one) => one.remove());
    const engine = opened.adopt(await start(browsers.folder), (one) => one.close());
    const visitor = { engine, server, email: 'eva@example.org', name: 'Eva' };
    const screens = await live(visitor, server);
    sheet.add(engine.name, `main job, ${screens} screens without the server, 1 activity on it afterwards`);
    const failure = await liveWithoutWorker(visitor, server);
    sheet.control(`${engine.name} without a worker`, failure !== null, failure ?? 'all was there');
  }
  return sheet.figures;
}

/** Returns how many screens were there without the server. */
async function live(visitor: Visitor, server: WholeServer): Promise<number> {
  await signUpAndStart(visitor);
  await server.stop();
  await hurryWithoutServer(visitor);
  const screens = await openScreensWithoutServer(visitor);
  await finishWithoutServer(visitor);
  await visitor.engine.killAndStart?.();
  await findFinishedWithoutServer(visitor);
  await server.start();
  let statuses: string[] = [];
  const isFinished = async () => {
    statuses = await readStatuses(server);
    return statuses.some((status) => status !== 'active');
  };
  await pollUntil(isFinished, { patience_ms: SENT_WITHIN_MS, interval_ms: 200 });
  if (statuses.length !== 1 || statuses[0] === 'active')
    throw new Error(`${visitor.engine.name}: the server has ${statuses.join(', ') || 'no activity'}`);
  return screens;
}

/** Returns what failed; null if nothing did. */
async function liveWithoutWorker(visitor: Visitor, server: WholeServer): Promise<string | null> {
  await removeWorker(visitor);
  await server.stop();
  try {
    await openScreensWithoutServer(visitor);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function readStatuses(server: Server & { data_dir: string }): Promise<string[]> {
  const operator = await openOperator(server.data_dir, () => new Date(server.now()));
  try {
    const rows = await operator.database.selectFrom('activities').select('status').execute();
    return rows.map(({ status }) => status);
  } finally {
    await operator.close();
  }
}
