import { CALLBACK_PATH } from '@sendlap/contract/auth.ts';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Env } from './env.ts';
import { mountActivities } from './modules/activities/routes.ts';
import { createActivityService } from './modules/activities/service.ts';
import { mountAuth } from './modules/auth/routes.ts';
import { createAuthService } from './modules/auth/service.ts';
import { mountDevices } from './modules/devices/routes.ts';
import { createDeviceService } from './modules/devices/service.ts';
import { mountLeaderboards } from './modules/leaderboards/routes.ts';
import { createLeaderboardService } from './modules/leaderboards/service.ts';
import { mountReferees } from './modules/referees/routes.ts';
import { createRefereeService } from './modules/referees/service.ts';
import { mountSportCenters } from './modules/sport-centers/routes.ts';
import { createSportCenterService } from './modules/sport-centers/service.ts';
import { mountTiles } from './modules/tiles/routes.ts';
import { createUserService } from './modules/users/service.ts';
import type { Database } from './platform/database.ts';
import { mountEventStream } from './platform/event-stream.ts';
import { createEvents } from './platform/events.ts';
import { createGate } from './platform/gate.ts';
import { mountHealth, type Readiness } from './platform/health.ts';
import { createIdentityProvider } from './platform/identity-provider/identity-provider.ts';
import { createRoute } from './platform/route.ts';
import type { Secrets } from './platform/secrets.ts';
import { createServer } from './platform/server.ts';
import { createSessions } from './platform/sessions.ts';
import { mountWebApp } from './platform/web-app.ts';

export interface AppOptions {
  env: Env;
  database: Database;
  /** For connections outside the pool (LISTEN). */
  database_url: string;
  secrets: Secrets;
  logger: FastifyBaseLogger | false;
  readiness?: Readiness;
  now?: () => Date;
}

/** The whole wiring: stores and services are built here, modules are mounted here, nothing else. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const {
    env,
    database,
    database_url,
    secrets,
    logger,
    readiness = { accepting: true },
    now = () => new Date(),
  } = options;
  const secure = env.PUBLIC_URL.startsWith('https:');
  const app = await createServer({ logger, trust_proxy: env.TRUST_PROXY, secure });
  const now_ms = () => now().getTime();
  const sessions = createSessions({ database, secrets, now: now_ms });
  const gate = createGate({ sessions, public_url: env.PUBLIC_URL });
  const users = createUserService(database);
  const events = createEvents(database, database_url);
  const sport_centers = await createSportCenterService({ database });
  const devices = createDeviceService(database, secrets);
  const referees = createRefereeService(database);
  const leaderboards = createLeaderboardService(database, now);
  const activities = createActivityService({ database, events, sport_centers, devices, referees, leaderboards, now });
  const identity = await createIdentityProvider({
    database,
    secrets,
    public_url: env.PUBLIC_URL,
    callback_path: CALLBACK_PATH,
    external: readExternalProvider(env),
  });
  const auth = createAuthService({ database, identity, sessions, users, public_url: env.PUBLIC_URL, now: now_ms });

  const route = createRoute(app, gate);
  mountHealth(app, database, readiness);
  mountAuth(route, auth);
  mountSportCenters(app, route, sport_centers);
  mountTiles(app);
  mountDevices(route, devices);
  mountReferees(route, referees);
  mountActivities(route, activities);
  mountLeaderboards(route, leaderboards);
  await mountEventStream(app, events, gate);
  await identity.mount(app);
  await mountWebApp(app);
  app.addHook('onClose', async () => {
    sport_centers.close();
    await events.close();
  });
  return app;
}

function readExternalProvider({ OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET }: Env) {
  if (!OIDC_ISSUER || !OIDC_CLIENT_ID) return undefined;
  return { issuer: OIDC_ISSUER, client_id: OIDC_CLIENT_ID, client_secret: OIDC_CLIENT_SECRET };
}
