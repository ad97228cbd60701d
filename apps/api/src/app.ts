import type { RequestListener } from 'node:http';
import { CALLBACK_PATH } from '@sendlap/contract/wire/screens.ts';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { createIdentityProvider } from './accounts/provider/identity-provider.ts';
import { accountPrunings } from './accounts/provider/prunings.ts';
import { mountCenterManagement } from './center-management-wiring.ts';
import { type Database, openDatabase } from './database/database.ts';
import { readEpoch } from './database/epoch.ts';
import type { Secrets } from './database/secrets.ts';
import { dataDir } from './database/storage.ts';
import { createEventPruning } from './events/event-pruning.ts';
import { createEvents } from './events/events.ts';
import { createAttemptPruning } from './http/attempt-limit.ts';
import { createAuthenticator } from './http/authenticator.ts';
import { mountCallerReport } from './http/caller-report.ts';
import type { TrustProxyMonitor } from './http/forwarded-header.ts';
import { mountHealth, type Readiness } from './http/health.ts';
import type { LoadLimits } from './http/listening/load-shedding.ts';
import type { TlsPair } from './http/listening/tls.ts';
import { createRequestLimits } from './http/request-limit.ts';
import { createRoute, type Route } from './http/route.ts';
import { createServer } from './http/server.ts';
import { mountEventStream } from './http/streams/event-stream.ts';
import { mountWebApp } from './http/web-app.ts';
import { createScanExpiry } from './modules/activities/ops/scan-expiry.ts';
import { mountActivities } from './modules/activities/routes.ts';
import { createActivityService } from './modules/activities/service.ts';
import { mountAuth } from './modules/auth/routes.ts';
import { createAuthService } from './modules/auth/service.ts';
import { createDailyBackup } from './modules/backups/daily-backup.ts';
import { readBackupSettings } from './modules/backups/folder.ts';
import { createBadgeService, mountBadges } from './modules/badges/service.ts';
import { mountChats } from './modules/chats/routes.ts';
import { createChatService } from './modules/chats/service.ts';
import { createDashboardService, mountDashboard } from './modules/dashboard/service.ts';
import { mountDevices } from './modules/devices/routes.ts';
import { createDeviceService } from './modules/devices/service.ts';
import { mountFriends } from './modules/friends/routes.ts';
import { createFriendService } from './modules/friends/service.ts';
import { createKioskService, mountKiosks } from './modules/kiosks/service.ts';
import { createMemoryRanks } from './modules/leaderboards/ranks/memory-ranks.ts';
import { createLogPruning } from './modules/leaderboards/ranks/prune-log.ts';
import { createRankIndex } from './modules/leaderboards/ranks/rank-index.ts';
import { createLeaderboardService, mountLeaderboards } from './modules/leaderboards/service.ts';
import { createLocationPurge } from './modules/locations/location-purge.ts';
import { createPresenceNotifier } from './modules/locations/presence-notifier.ts';
import { mountLocations } from './modules/locations/routes.ts';
import { createLocationService } from './modules/locations/service.ts';
import { createManagerService, mountManagers } from './modules/managers/service.ts';
import { mountNotifications } from './modules/notifications/routes.ts';
import { createNotificationService } from './modules/notifications/service.ts';
import { createOperatorService, mountOperators } from './modules/operators/service.ts';
import { mountReferees } from './modules/referees/routes.ts';
import { createRefereeService } from './modules/referees/service.ts';
import { mountReports } from './modules/reports/routes.ts';
import { createReportService } from './modules/reports/service.ts';
import { createSealingKeyService, mountSealingKeys } from './modules/sealing-keys/service.ts';
import { mountServerProfile } from './modules/server-profile/routes.ts';
import { createServerProfileService } from './modules/server-profile/service.ts';
import { createAreaLoadService, mountAreaLoads } from './modules/sport-centers/area-loads/area-loads.ts';
import { mountCenterProofs, mountSportCenters } from './modules/sport-centers/routes.ts';
import { createSportCenterService } from './modules/sport-centers/service.ts';
import { mountStats } from './modules/stats/routes.ts';
import { createStatsService } from './modules/stats/service.ts';
import { mountTiles } from './modules/tiles/routes.ts';
import { createTileService } from './modules/tiles/service.ts';
import { createStreetLoadService, mountStreetLoads } from './modules/tiles/street-loads/street-loads.ts';
import { mountTowns } from './modules/towns/routes.ts';
import { createTownService } from './modules/towns/service.ts';
import { createBioInfoService } from './modules/users/bio-info.ts';
import { createDeletionService } from './modules/users/deletion.ts';
import { createErasureJob } from './modules/users/erasure.ts';
import { createExportService } from './modules/users/export.ts';
import { mountExports } from './modules/users/export-routes.ts';
import { mountUsers } from './modules/users/routes.ts';
import { createUserService } from './modules/users/service.ts';
import { createSettingsService } from './modules/users/settings.ts';
import { type Env, readIdentitySettings } from './platform/env.ts';
import { nodeName } from './platform/node-name.ts';
import type { PeriodicJob } from './platform/periodic-job.ts';
import type { Timer } from './platform/timer.ts';
import { VERSION } from './platform/version.ts';
import { mountServerManagement } from './server-management-wiring.ts';
import { createRecentChanges } from './sessions/recent-changes.ts';
import { keepCookiesInSafari } from './sessions/safari-cookies.ts';
import { createSessions } from './sessions/sessions.ts';

export interface AppOptions {
  env: Env;
  database: Database;
  /** For connections outside the pool (LISTEN). */
  database_url: string;
  secrets: Secrets;
  logger: FastifyBaseLogger | false;
  readiness?: Readiness;
  /** The server uses https with this key and certificate. */
  tls?: TlsPair | undefined;
  /** Answers plain http at the port of https. */
  onPlainHttp?: RequestListener | undefined;
  /** What other devices open first, if not the app. */
  join_url?: string | undefined;
  /** Called at each connection of the event channel, see `createEvents`. */
  onConnect?: (() => void) | undefined;
  now?: () => Date;
  /** The timer of the delays between pushes. */
  timer?: Timer | undefined;
  /** Waits between queries to the Overpass server. */
  waitForOverpass?: ((ms: number) => Promise<unknown>) | undefined;
  /** Name servers that find push services and the web sites of centers; default: the machine's own. */
  name_servers?: string[] | undefined;
  /** How soon a load of sport centers notices that it was cancelled at another node. */
  load_check_interval_ms?: number | undefined;
  /** When requests are refused as the node is overloaded. */
  load_limits?: LoadLimits | undefined;
  /** How long a call waits for a chat that another transaction holds. */
  chat_lock_timeout_ms?: number | undefined;
  /** The folder of the built web app; default: where `npm start` builds it. */
  web_root?: string | undefined;
}

/** The whole wiring: builds stores and services and mounts modules, and does nothing else. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { env, database, logger, readiness = { accepting: true }, now = () => new Date() } = options;
  const { PUBLIC_URL: public_url, TRUST_PROXY: trust_proxy } = env;
  const monitor: TrustProxyMonitor = new Map();
  const app = await createServer({
    logger,
    trust_proxy,
    trust_proxy_monitor: monitor,
    public_url,
    tls: options.tls,
    onPlainHttp: options.onPlainHttp,
    readiness,
    load_limits: options.load_limits,
    other_servers: { has_external_provider: Boolean(env.OIDC_ISSUER), has_mail_server: Boolean(env.SMTP_URL) },
  });
  keepCookiesInSafari(app, public_url);
  await measure(app, database, env);
  const services = await createServices({ ...options, now }, app.log);
  const { events, sport_centers, users, identity, ranks, presence } = services;
  const authenticator = createAuthenticator({ ...services, public_url });
  mountHealth(app, database, readiness);
  mountCallerReport(app, { secrets: options.secrets, node: nodeName(env), trust_proxy, monitor });
  const limitRequests = createRequestLimits(database);
  const route = createRoute(app, authenticator, limitRequests);
  mountModules(app, route, services, now);
  mountServerManagement(route, { ...services, database, env, now });
  mountCenterManagement(route, { ...services, ...options, now });
  mountTiles(app, route, services.tiles);
  mountExports(app, { database, authenticator, exports: createExportService(database, now) });
  await mountEventStream(app, events, authenticator);
  await identity.mount(app, limitRequests);
  await mountWebApp(app, env.PUBLIC_URL, options.web_root);
  const job_options = { database, now, log: app.log };
  const unlimited_database = openDatabase(options.database_url, { is_unlimited: true });
  const load_options = { ...job_options, ...services, unlimited_database, data_dir: dataDir(env) };
  const area_loads = createAreaLoadService({ ...load_options, ...overpassOptions(options) });
  mountAreaLoads(route, area_loads);
  const { MAP_STREETS: streets, MAP_STREETS_SOURCE: source } = env;
  const street_loads = createStreetLoadService({ ...load_options, source, is_configured: streets !== undefined });
  mountStreetLoads(route, street_loads);
  const prunings = [createLogPruning, createEventPruning, createAttemptPruning, ...accountPrunings];
  const jobs = [
    createErasureJob({ ...job_options, users, database: unlimited_database }),
    createLocationPurge({ ...job_options, presence }),
    createScanExpiry({ ...job_options, events }),
    ...prunings.map((createPruning) => createPruning(job_options)),
    area_loads.createJob(),
    street_loads.createJob(),
    createDailyBackup({
      ...job_options,
      ...{ database: unlimited_database, database_url: options.database_url, secrets: options.secrets },
      ...readBackupSettings(env),
    }),
  ];
  startJobs(app, jobs, unlimited_database);
  app.addHook('onListen', async () => void services.leaderboards.warm());
  app.addHook('onClose', async () => {
    sport_centers.close();
    await services.notifications.close();
    await events.close();
    await ranks.close();
  });
  return app;
}

/** The libraries of metrics and traces are loaded for those who want them only. */
async function measure(app: FastifyInstance, database: Database, env: Env): Promise<void> {
  const { METRICS_PORT, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: share } = env;
  if (METRICS_PORT !== undefined) {
    const { mountMetrics } = await import('./metrics/metrics.ts');
    mountMetrics(app, { database, env: { ...env, METRICS_PORT } });
  }
  if (endpoint !== undefined) {
    const { mountTraces } = await import('./metrics/traces.ts');
    mountTraces(app, { endpoint, share, node: nodeName(env) });
  }
}

type Services = Awaited<ReturnType<typeof createServices>>;

async function createServices(options: AppOptions & { now: () => Date }, log: FastifyBaseLogger) {
  const { env, database, database_url, secrets, now } = options;
  const { PUBLIC_URL: public_url } = env;
  const now_ms = () => now().getTime();
  const changes = createRecentChanges(database);
  const sessions = createSessions({ database, secrets, changes, now: now_ms });
  const users = createUserService(database, now, changes);
  const events = createEvents(database, database_url, `${VERSION} ${nodeName(env)}`, options.onConnect);
  const towns = createTownService();
  const sport_centers = await createSportCenterService({ database, now, log });
  const devices = createDeviceService({ database, secrets, now });
  const rights = { operators: createOperatorService(database, now), managers: createManagerService(database, now) };
  const tiles = createTileService({ streets: env.MAP_STREETS, data_dir: dataDir(env) });
  const server_profile = createServerProfileService({ database, towns, tiles, env, join_url: options.join_url });
  const referees = createRefereeService(database);
  const friends = createFriendService({ database, events, changes, now });
  const reports = createReportService({ database, friends, now });
  const chats = createChatService({ database, events, now, lock_timeout_ms: options.chat_lock_timeout_ms });
  const notifications = await createNotificationService({
    ...{ database, secrets, events, public_url },
    mail_from: env.MAIL_FROM,
    allow_local: env.PUSH_ALLOW_LOCAL !== undefined,
    name_servers: options.name_servers,
    now,
    timer: options.timer,
    log,
  });
  const ranks = createRankIndex({ database, store: createMemoryRanks({ log }), log });
  // Called after every commit that changes leaderboards, on this node or another one.
  events.onBroadcast(ranks.notifyChange);
  const leaderboards = createLeaderboardService({ database, ranks, friends, centers: sport_centers, changes, now });
  const dashboard = createDashboardService({ database, leaderboards, now });
  const progress = { badges: createBadgeService(database, now), stats: createStatsService(database, now), dashboard };
  const kiosks = createKioskService({ database, secrets, leaderboards, now });
  const proofs = { devices, referees, kiosks };
  const activities = createActivityService({ database, events, sport_centers, now, ...proofs });
  const identity = await createIdentityProvider({
    database,
    secrets,
    public_url,
    callback_path: CALLBACK_PATH,
    sessions,
    ...readIdentitySettings(env),
  });
  const epoch = await readEpoch(database);
  const auth = createAuthService({ database, identity, sessions, users, public_url, now: now_ms });
  const presence = createPresenceNotifier({ database, events, friends, now });
  const bio_info = createBioInfoService({ database, events, presence, users, now });
  const settings = createSettingsService({ database, events, users, presence });
  const deletion = createDeletionService({ database, events, presence, sessions, users, now });
  const locations = createLocationService({ database, friends, centers: sport_centers, presence, now });
  const sealing_keys = createSealingKeyService(secrets);
  const profile = { server_profile, bio_info, settings, deletion };
  const accounts = { sessions, users, ...rights, identity, auth, epoch, sealing_keys };
  const maps = { towns, tiles, sport_centers };
  const people = { friends, reports, chats, notifications, locations, presence };
  const boards = { ranks, leaderboards };
  return { ...accounts, ...profile, ...proofs, ...progress, ...maps, ...boards, ...people, events, activities };
}

function mountModules(app: FastifyInstance, route: Route, services: Services, now: () => Date): void {
  const { sport_centers, towns, referees, kiosks, users, bio_info, settings, deletion, sessions } = services;
  mountAuth(route, services.auth, services.epoch);
  mountSportCenters(app, route, sport_centers);
  mountCenterProofs(route, { sport_centers, referees, kiosks, now });
  mountTowns(app, route, towns);
  mountOperators(route, services.operators);
  mountManagers(route, services.managers);
  mountServerProfile(route, services.server_profile);
  mountDevices(route, services.devices);
  mountSealingKeys(route, services.sealing_keys);
  mountReferees(route, referees, now);
  mountKiosks(route, kiosks);
  mountActivities(route, services.activities);
  mountLeaderboards(route, services.leaderboards);
  mountBadges(route, services.badges);
  mountStats(route, services.stats);
  mountDashboard(route, services.dashboard);
  mountFriends(route, services.friends);
  mountReports(route, services.reports);
  mountChats(route, services.chats);
  mountNotifications(route, services.notifications);
  mountLocations(route, services.locations);
  mountUsers(route, { users, bio_info, settings, deletion, sessions });
}

function overpassOptions({ env, waitForOverpass, load_check_interval_ms: check_interval_ms }: AppOptions) {
  return { endpoint: env.OVERPASS_URL, wait: waitForOverpass, check_interval_ms };
}

/** Starts the background jobs; on shutdown each finishes its current run. `unlimited_database`: for jobs only. */
function startJobs(app: FastifyInstance, jobs: PeriodicJob[], unlimited_database: Database): void {
  for (const job of jobs) job.start();
  app.addHook('onClose', async () => {
    await Promise.all(jobs.map((job) => job.close()));
    await unlimited_database.destroy();
  });
}
