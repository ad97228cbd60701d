import type { Server } from 'node:https';
import { parseArgs } from 'node:util';
import { openDatabase } from './database/database.ts';
import { prepareDatabase } from './database/prepare-database.ts';
import { createSecrets } from './database/secrets.ts';
import { holdStart } from './database/start-lock.ts';
import { dataDir, openStorage } from './database/storage.ts';
import { assertCanListen, explainListenError } from './http/listening/listen-address.ts';
import { readTls, reloadTls } from './http/listening/tls.ts';
import { closeOnSignal, STOP_SIGNALS } from './http/shutdown.ts';
import { backUpBeforeMigration } from './modules/backups/before-migration.ts';
import { readEnv, warnOfMistypedSettings } from './platform/env.ts';
import { createLogger } from './platform/logger.ts';
import { nodeName } from './platform/node-name.ts';
import { isDiskFull, StartError, toOneLine } from './platform/start-error.ts';
import { VERSION } from './platform/version.ts';

/**
 * Resources that must not outlive a failed start: the embedded database is a process of its own. Closed in this order.
 */
const closers: (() => Promise<void>)[] = [];

try {
  warnOfMistypedSettings(process.env, process.stderr);
  const { phone: is_for_phones, version: asks_version } = readOptions(process.argv.slice(2));
  if (asks_version) {
    process.stdout.write(`${VERSION}\n`);
    process.exit(0);
  }
  const phone_start = is_for_phones ? await import('./phone/phone-mode.ts') : undefined;
  const env = phone_start ? await phone_start.readPhoneEnv(process.env) : readEnv(process.env);
  const tls = readTls(env);
  const address = { port: env.PORT, host: env.HOST };
  await assertCanListen(address);
  if (env.ACME_EMAIL) await assertCanListen({ port: env.HTTP_PORT, host: env.HOST }, 'HTTP_PORT');
  if (env.METRICS_PORT) await assertCanListen({ port: env.METRICS_PORT, host: env.METRICS_HOST }, 'METRICS_PORT');
  const logger = createLogger(env.LOG_LEVEL, process.stdout.isTTY).child({ node: nodeName(env) });
  logger.info({ version: VERSION }, 'Sendlap is starting');
  const storage = await openStorage(env, logger);
  closers.push(() => storage.close());
  // Until the app can drain: a certificate's first issue may take minutes.
  const stopEarly = () => void closeAll().then(() => process.exit(1));
  for (const signal of STOP_SIGNALS) process.on(signal, stopEarly);
  const endStart = await holdStart(storage);
  closers.unshift(endStart);
  const migrations = await prepareDatabase(storage, backUpBeforeMigration(env, storage));
  if (migrations.length > 0) logger.info({ migrations }, 'schema brought up to date');
  // Loaded only now, so that a refused start loads no app.
  const { buildApp } = await import('./app.ts');
  const { createListeningStop } = await import('./http/request-drain.ts');
  const { createProxyCheck } = await import('./doctor/proxy-check.ts');
  const { hasOperator, inviteOperator } = await import('./modules/operators/service.ts');
  const { loadStarterCenters } = await import('./modules/sport-centers/import/starter.ts');
  const database = openDatabase(storage.database_url);
  closers.unshift(() => database.destroy());
  await loadStarterCenters(database);
  const phone_mode = await phone_start?.openPhoneMode(env, dataDir(env));
  const acme_mode = env.ACME_EMAIL
    ? await (await import('./acme/acme-mode.ts')).openAcmeMode({
        env,
        email: env.ACME_EMAIL,
        data_dir: dataDir(env),
        log: logger,
      })
    : undefined;
  if (acme_mode) closers.unshift(acme_mode.close);
  const readiness = { accepting: true };
  const secrets = createSecrets(storage.secret);
  const connected = Promise.withResolvers<void>();
  const app = await buildApp({
    env,
    database,
    database_url: storage.database_url,
    secrets,
    logger,
    readiness,
    onConnect: connected.resolve,
    tls: phone_mode?.tls ?? acme_mode?.tls ?? tls,
    onPlainHttp: phone_mode?.onPlainHttp,
    join_url: phone_mode?.guide_url,
  });
  if (phone_mode) (await import('./phone/guide.ts')).mountTrustProbe(app);
  const stopListening = createListeningStop(app);
  const setup_instructions = (await hasOperator(database))
    ? ''
    : `Set it up within 24 hours, once: ${(await inviteOperator(database, env.PUBLIC_URL, new Date())).url}\n`;
  await app.listen(address).catch((error: unknown) => {
    throw explainListenError(error, address);
  });
  // Once it is there, the app's own connection keeps a restore from beginning.
  void connected.promise.then(endStart);
  for (const signal of STOP_SIGNALS) process.off(signal, stopEarly);
  closeOnSignal({ app, stopListening, readiness, logger, drain_ms: env.DRAIN_S * 1000, cleanups: closers });
  acme_mode?.renewFor(app.server as Server);
  createProxyCheck({ env, secrets, log: app.log })?.start();
  // SIGHUP announces a renewed certificate.
  if (tls) process.on('SIGHUP', () => reloadTls(app.server as Server, env, logger));
  process.stdout.write(`Sendlap is ready at ${env.PUBLIC_URL}\n${phone_mode?.instructions ?? ''}${setup_instructions}`);
} catch (error) {
  await closeAll();
  if (!(error instanceof StartError || isDiskFull(error))) throw error;
  process.stderr.write(`Sendlap cannot start: ${toOneLine(error.message)}\n`);
  process.exit(1);
}

async function closeAll(): Promise<void> {
  for (const close of closers.splice(0)) await close().catch(() => {});
}

/** Throws a StartError for anything but an option of `npm start`. */
function readOptions(args: string[]): { phone: boolean; version: boolean } {
  try {
    const flag = { type: 'boolean', default: false } as const;
    return parseArgs({ args, options: { phone: flag, version: flag } }).values;
  } catch (error) {
    throw new StartError(`${toOneLine((error as Error).message)}: the options are --phone and --version`);
  }
}
