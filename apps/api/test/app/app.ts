import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { User } from '@sendlap/contract/users.ts';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { buildApp } from '#api/app.ts';
import { type Database, openDatabase } from '#api/database/database.ts';
import { createSecrets, type Secrets } from '#api/database/secrets.ts';
import type { Readiness } from '#api/http/health.ts';
import type { LoadLimits } from '#api/http/listening/load-shedding.ts';
import type { TlsPair } from '#api/http/listening/tls.ts';
import { createUserService } from '#api/modules/users/service.ts';
import { readEnv } from '#api/platform/env.ts';
import type { Timer } from '#api/platform/timer.ts';
import { createSessions } from '#api/sessions/sessions.ts';
import { createTestDatabase } from '../database/database.ts';
import { openPatientDatabase } from '../database/patient-database.ts';
import { findFreePort } from '../free-port.ts';
import { isCodeChanged } from '../source-patches.ts';
import { watchErrorCodes } from './declared-errors.ts';
import { NO_LOAD_LIMITS } from './no-load-limits.ts';

/** The data of a developer's own server must not matter. */
const NO_DATA_DIR = join(tmpdir(), 'sendlap-tests-without-data');

export const TEST_SECRET = 'a secret for tests, at least 32 characters long';

export interface TestAppOptions {
  /** Listens on a free port, for tests that need real connections; otherwise requests go through `app.inject`. */
  listen?: boolean;
  /** Fills the database before the app starts on it. */
  seed?: (database: Database) => Promise<void>;
  /** The wall clock of the whole app, sessions included. */
  now?: () => Date;
  /** The database gives up as soon as the server's own does. */
  has_server_timeouts?: boolean;
  /** The timer that push retries use. */
  timer?: Timer;
  /** Default: none, as a slow machine is no overload. */
  load_limits?: LoadLimits;
  /** How long a call waits for a chat that another transaction has locked. */
  chat_lock_timeout_ms?: number;
  /** Waits between queries to the Overpass server. */
  waitForOverpass?: (ms: number) => Promise<unknown>;
  /** Name servers that find push services and the web sites of centers. */
  name_servers?: string[];
  /** How soon a load of sport centers notices that it was cancelled at another node. */
  load_check_interval_ms?: number;
  env?: Record<string, string>;
  /** Logger of the app; without it, nothing is logged. */
  logger?: FastifyBaseLogger;
  /** Serves HTTPS with this pair; its files are named in `env`. */
  tls?: TlsPair | undefined;
  /** The answer of /readyz; ready by default. */
  readiness?: Readiness;
  /** A database to share with another app (a second node, or the app after a restart); the caller drops it. */
  database_url?: string;
}

export interface SignedIn {
  user: User;
  session_id: string;
  /** A bearer token of a live session. */
  token: string;
  headers: { authorization: string };
  /** The session's first refresh cookie. */
  refresh_token: string;
}

export interface TestApp {
  app: FastifyInstance;
  database: Database;
  database_url: string;
  secrets: Secrets;
  /** The public address; it answers only with `listen`. */
  url: string;
  /** Creates a user with a session, without the sign-in pages. */
  signIn(name: string): Promise<SignedIn>;
  close(): Promise<void>;
}

/** Builds the whole app on a database of its own. */
export async function buildTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const port = options.listen ? await findFreePort() : 8000;
  const own = options.database_url === undefined ? await createTestDatabase() : undefined;
  const database_url = options.database_url ?? own?.url ?? '';
  const database = options.has_server_timeouts ? openDatabase(database_url) : openPatientDatabase(database_url);
  await options.seed?.(database);
  const secrets = createSecrets(TEST_SECRET);
  const env = readEnv({ PORT: String(port), LOG_LEVEL: 'silent', DATA_DIR: NO_DATA_DIR, ...options.env });
  const app = await buildApp({
    env,
    database,
    database_url,
    secrets,
    logger: options.logger ?? false,
    ...(options.readiness ? { readiness: options.readiness } : {}),
    tls: options.tls,
    now: options.now,
    timer: options.timer,
    load_limits: options.load_limits ?? NO_LOAD_LIMITS,
    chat_lock_timeout_ms: options.chat_lock_timeout_ms,
    waitForOverpass: options.waitForOverpass,
    name_servers: options.name_servers,
    load_check_interval_ms: options.load_check_interval_ms,
    // It must not matter whether the web app is built.
    web_root: NO_DATA_DIR,
  });
  const assertErrorsDeclared = watchErrorCodes(app);
  if (options.listen) await app.listen({ port, host: 'localhost' });
  else await app.ready();

  const { now } = options;
  const sessions = createSessions({ database, secrets, ...(now ? { now: () => now().getTime() } : {}) });
  const users = createUserService(database);
  return {
    app,
    database,
    database_url,
    secrets,
    url: env.PUBLIC_URL,
    async signIn(name) {
      const person = { issuer: 'test', subject: randomUUID(), email: '', name, display_name: name };
      const user = await users.findOrCreate(person);
      const { access_token: token, session_id, refresh_token } = await sessions.create(user.id, 'Test');
      return { user, session_id, token, headers: { authorization: `Bearer ${token}` }, refresh_token };
    },
    async close() {
      await app.close();
      await database.destroy();
      await own?.drop();
      // Without its checks, a call refuses with the codes of other calls.
      if (!isCodeChanged()) assertErrorsDeclared();
    },
  };
}
