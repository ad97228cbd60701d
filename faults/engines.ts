import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueCertificate, openLocalCa } from '../apps/api/src/phone/local-ca.ts';
import { type Operator, openOperator } from '../apps/api/test/app/operator.ts';
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
  writeToEveryStore,
} from '../e2e/engines/main-job.ts';
import { unpackBrowsers } from '../e2e/engines/unpacked-browsers.ts';
import { startWebKit } from '../e2e/engines/webkit.ts';
import { POOL } from '../e2e/people/swimming.ts';
import { startServer, type WholeServer } from '../e2e/server/server.ts';
import { type Figure, openFigureSheet } from '../tools/programs/figures.ts';
import { buildIfChanged } from '../tools/project/build.ts';

const SENT_WITHIN_MS = 15_000;
const HTTPS_HOST = 'localhost';

/**
 * The main job in the engines of Safari and Firefox: sign up, start, then without the server leave screens while they
 * start, write to every store, see every screen, finish, show the code, and, where the browser can be killed, start it
 * again. When the server is back, it must get the activity, once, within 15 s. Control arm: the screens without the worker, which must not be there.
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
    const engine = opened.adopt(await start(browsers.folder), (one) => one.close());
    const address = engine.needs_https ? await certify(opened) : {};
    const server = opened.adopt(await startServer({ is_printing: false, ...address }), (one) => one.remove());
    const pool_id = await ask(server, ({ database }) =>
      database.selectFrom('sport_centers').select('id').where('name', '=', POOL).executeTakeFirstOrThrow(),
    );
    const visitor = { engine, server, pool_id: pool_id.id };
    const screens = await live(visitor, server);
    sheet.add(engine.name, `main job, ${screens} screens without the server, 1 activity on it afterwards`);
    const failure = await liveWithoutWorker(visitor, server);
    sheet.control(`${engine.name} without a worker`, failure !== null, failure ?? 'all was there');
  }
  return sheet.figures;
}

/** Returns the options of a server with a certificate that no browser knows. */
async function certify(opened: AsyncDisposableStack) {
  const folder = await mkdtemp(join(tmpdir(), 'sendlap-engines-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const ca = await openLocalCa(join(folder, 'ca'), 'club', new Date());
  const { cert, key } = issueCertificate(ca, [HTTPS_HOST], new Date());
  const env = { HOST: '127.0.0.1', TLS_CERT: join(folder, 'cert.pem'), TLS_KEY: join(folder, 'key.pem') };
  await Promise.all([writeFile(env.TLS_CERT, cert), writeFile(env.TLS_KEY, key)]);
  return { https_host: HTTPS_HOST, env };
}

/** Returns how many screens were there without the server. */
async function live(visitor: Visitor, server: WholeServer): Promise<number> {
  await signUpAndStart(visitor);
  // An athlete who loses the signal a second after the start has no code, which the app says.
  await pollUntil(async () => (await list(server, 'devices')).length > 0, {
    patience_ms: SENT_WITHIN_MS,
    interval_ms: 200,
  });
  await server.stop();
  await hurryWithoutServer(visitor);
  await writeToEveryStore(visitor);
  const screens = await openScreensWithoutServer(visitor);
  await finishWithoutServer(visitor);
  await visitor.engine.killAndStart?.();
  await findFinishedWithoutServer(visitor);
  await server.start();
  let activities: { status?: string }[] = [];
  const isFinished = async () => {
    activities = await list(server, 'activities');
    return activities.some(({ status }) => status !== 'active');
  };
  await pollUntil(isFinished, { patience_ms: SENT_WITHIN_MS, interval_ms: 200 });
  const [activity, ...others] = activities;
  if (!activity || others.length > 0 || activity.status === 'active')
    throw new Error(`${visitor.engine.name}: the server has ${JSON.stringify(activities)}`);
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

const list = (server: WholeServer, table: 'activities' | 'devices') =>
  ask(server, ({ database }) => database.selectFrom(table).selectAll().execute());

/** A stopped server stops its database: each question has a connection of its own. */
async function ask<Answer>(server: WholeServer, question: (operator: Operator) => Promise<Answer>): Promise<Answer> {
  const operator = await openOperator(server.data_dir, () => new Date(server.now()));
  try {
    return await question(operator);
  } finally {
    await operator.close();
  }
}
