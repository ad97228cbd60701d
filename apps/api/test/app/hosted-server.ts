import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '#api/app.ts';
import type { Command } from '#api/cli/command.ts';
import { type Database, openDatabase } from '#api/database/database.ts';
import { createSecrets } from '#api/database/secrets.ts';
import { type Env, readEnv } from '#api/platform/env.ts';
import { createLogger } from '#api/platform/logger.ts';
import { createAccount, type MadeAccount, type NewAccount } from '../accounts.ts';
import { copyTemplate } from '../database/database-copy.ts';
import { afterDelay } from '../delays.ts';
import { findFreePort } from '../free-port.ts';
import { runVerb } from '../run-verb.ts';
import { NO_LOAD_LIMITS } from './no-load-limits.ts';

const SECRET = 'a secret for journeys, at least 32 characters long';
/** The time that `closeOnSignal` allows a server to finish. */
const FINISH_MS = 10_000;

export interface HostedAddress {
  url: string;
  database_url: string;
  secret: string;
}

/** The whole app on a database of its own, in this process, with its settings in `process.env`: one at a time. */
export interface HostedServer extends HostedAddress {
  /** Runs a command of the operator CLI. Throws when it fails. Returns its output. */
  sendlap(args: string[]): Promise<string>;
  createAccount(account: NewAccount): Promise<MadeAccount>;
  /** Closes the port and all connections until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops the server for good and drops its database. */
  close(): Promise<void>;
}

/** `settings`: environment variables beyond those that give the server its own address and database. */
export async function openHostedServer(server_url: string, settings: Record<string, string>): Promise<HostedServer> {
  const { url: database_url, drop } = await copyTemplate(server_url, `journey_${randomUUID().replaceAll('-', '')}`);
  const variables = { PORT: String(await findFreePort()), ...settings };
  const env = readEnv(variables);
  // Commands of the operator CLI read them from there.
  Object.assign(process.env, variables);
  const secrets = createSecrets(SECRET);
  // Without the time limits of a request: commands of the operator CLI may take longer.
  const database = openDatabase(database_url, { is_unlimited: true });
  let running: RunningApp | undefined = await startApp(env, database_url);
  const stop = async () => {
    await running?.stop();
    running = undefined;
  };
  return {
    url: env.PUBLIC_URL,
    database_url,
    secret: SECRET,
    sendlap: (args) => runCommand(database, args),
    createAccount: (account) => createAccount({ database, secrets }, account),
    stop,
    async start() {
      running ??= await startApp(env, database_url);
    },
    async close() {
      await stop();
      for (const name of Object.keys(variables)) delete process.env[name];
      await database.destroy();
      await drop();
    },
  };
}

interface RunningApp {
  stop(): Promise<void>;
}

/** Starts the app as main.ts does, on a database that has its schema. */
async function startApp(env: Env, database_url: string): Promise<RunningApp> {
  const database = openDatabase(database_url);
  const logger = createLogger(env.LOG_LEVEL, false);
  const readiness = { accepting: true };
  const secrets = createSecrets(SECRET);
  let app: FastifyInstance | undefined;
  const stop = async () => {
    readiness.accepting = false;
    await Promise.race([app?.close(), afterDelay(FINISH_MS, { ref: false })]);
    await database.destroy();
  };
  try {
    const load_limits = NO_LOAD_LIMITS;
    app = await buildApp({ env, database, database_url, secrets, logger, readiness, load_limits });
    await app.listen({ port: env.PORT, host: env.HOST });
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}

async function runCommand(database: Database, [noun, verb, ...args]: string[]): Promise<string> {
  const { command } = (await import(`#api/cli/${noun}-${verb}.ts`)) as { command: Command };
  const { code, stdout, stderr } = await runVerb(database, command.run, args);
  if (code !== 0) throw new Error(`sendlap ${noun} ${verb} ended with ${code}: ${stdout}${stderr}`);
  return stdout;
}
