import { setTimeout as pause } from 'node:timers/promises';
import { createSecrets, loadOrCreateSecret } from '../apps/api/src/database/secrets.ts';
import { createSessions } from '../apps/api/src/sessions/sessions.ts';
import { openOperator } from '../apps/api/test/app/operator.ts';
import { createBrowserKey } from '../apps/api/test/browser-key.ts';
import type { TabState } from '../e2e/browser/tab.ts';
import { restartKilledBrowser } from '../e2e/kills/killed-browser.ts';
import { type KillOptions, killAtRandom } from '../e2e/kills/random-kills.ts';
import { launchBrowser, openTabGroup, type RoundOutcome, type TabGroup } from '../e2e/kills/tab-group.ts';
import { startAfterTear, type TornStart } from '../e2e/kills/torn-log.ts';
import { type Rule, startForwardProxy } from '../e2e/server/forward-proxy.ts';
import { startServer, type WholeServer } from '../e2e/server/server.ts';
import { type Figure, type FigureSheet, openFigureSheet } from '../tools/programs/figures.ts';
import { prepareBrowser } from '../tools/programs/measure-in-browser.ts';
import { sized } from '../tools/programs/program-size.ts';
import { type ArmFigures, printArms, printReplays } from './session/figures.ts';
import { breakRefreshes, countRefreshes, isRefresh, rotateStrictly, withoutStreams } from './session/rules.ts';
import { isAsPromised, REPLAYS, type ReplayFigures, replayTokens, type Scene } from './session/theft.ts';

const FEW_TABS = 6;
const MANY_TABS = sized(20, 8);
const ROUNDS = sized(50, 2);
/** Every so many rounds, the tabs are reloaded instead of refreshing. */
const RELOAD_EVERY = sized(10, 2);
const BROKEN_SHARE = 0.5;
const FAMILIES = sized(50, 5);
const DAY_MS = 86_400_000;
/**
 * Moved back in every third round: cached answers then look fresh for days, and only a reloaded tab requests them
 * again.
 */
const WRONG_CLOCKS_MS = [-3 * DAY_MS, 0, 3 * DAY_MS];
const CONTROL_ROUNDS = sized(10, 2);
const KILLS = sized(200, 6);
const CONTROL_KILLS = sized(30, 12);
const TEARS = sized(5, 1);
/** Before, while and after the server handles the refresh. */
const KILLED_WITHIN_MS = 30;
const PASS: Rule = () => 'pass';

/**
 * Real tabs of the real app against the real server: concurrent refreshes, lost replies, killed browsers and servers,
 * wrong clocks, torn databases. No tab may be logged out. A stolen refresh token must end its family, and nothing else.
 * The control arms must log tabs out: strict rotation without locks, kills of a browser that cannot store a key, and a
 * tear where the key itself is.
 */
export async function run({ long = false }: { long?: boolean }): Promise<Figure[]> {
  await prepareBrowser();
  const times = long ? 5 : 1;
  const server = await startServer();
  const browser = await launchBrowser();
  try {
    const scene = await openScene(server);
    const replays = [];
    for (const replay of REPLAYS) replays.push({ replay, ...(await replayTokens(scene, replay, FAMILIES)) });
    await scene.close();
    printReplays(replays.map(({ replay, ...figures }) => ({ name: replay.name, ...figures })));

    const bench: Bench = { server, browser };
    const arms: ArmFigures[] = [];
    for (const arm of listArms(times)) arms.push(await arm(bench));
    const control = await playControl(bench);
    const no_key = { kills: CONTROL_KILLS, has_key: false };
    const keyless = await playRandomKills(bench, 'CONTROL: killed at random, no key', no_key);
    const torn = await playTears(bench, 'CONTROL: log of the keys torn', 'rest');
    console.log('');
    printArms([...arms, control, keyless, torn]);

    const sheet = sumUp(replays, arms);
    const broken = replays.filter(({ replay, ...figures }) => !isAsPromised(replay, figures));
    if (broken.length > 0) throw new Error(`not as promised: ${broken.map(({ replay }) => replay.name).join(', ')}`);
    if (arms.some(({ logouts, stuck }) => logouts + stuck > 0)) throw new Error('a tab was logged out or got stuck');
    sheet.control('no key', keyless.logouts > 0, `${keyless.logouts} of ${keyless.rounds} kills logged out`);
    sheet.control('torn keys', torn.logouts > 0, `${torn.logouts} of ${torn.rounds} tears logged out`);
    sheet.control('strict rotation', control.logouts > 0, `${control.logouts} of ${control.tabs} tabs logged out`);
    return sheet.figures;
  } finally {
    await browser.close();
    await server.remove();
  }
}

function sumUp(replays: ReplayFigures[], arms: ArmFigures[]): FigureSheet {
  const sheet = openFigureSheet();
  const sum = <Row>(rows: Row[], of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);
  const slowest_s = Math.max(...replays.map(({ refused_after_ms }) => refused_after_ms)) / 1000;
  const families = `${sum(replays, (one) => one.revoked)} of ${sum(replays, (one) => one.families)} families ended`;
  sheet.add('replayed tokens', `${families}, within ${slowest_s.toFixed(1)} s`);
  const tabs = `${sum(arms, (arm) => arm.tabs)} tabs in ${sum(arms, (arm) => arm.rounds)} rounds`;
  sheet.add('logged out or stuck', `${sum(arms, (arm) => arm.logouts + arm.stuck)} of ${tabs}`);
  return sheet;
}

interface Bench {
  server: WholeServer;
  browser: Awaited<ReturnType<typeof launchBrowser>>;
}

type Arm = (bench: Bench) => Promise<ArmFigures>;

function listArms(times: number): Arm[] {
  const arms: Arm[] = [];
  for (const tabs of [FEW_TABS, MANY_TABS])
    for (const locks of [true, false])
      arms.push((bench) =>
        playArm(bench, { name: 'at once', tabs, locks, rounds: ROUNDS * times, reload_every: RELOAD_EVERY }),
      );
  for (const locks of [true, false]) {
    const small = { tabs: FEW_TABS, locks };
    const rule = breakRefreshes(BROKEN_SHARE);
    arms.push(
      (bench) =>
        playArm(bench, { ...small, name: 'replies lost', rounds: sized(15, 2) * times, reload_every: 5, rule }),
      (bench) =>
        playArm(bench, { ...small, name: 'server killed', rounds: sized(6, 1) * times, reload_every: 3, kill: true }),
      (bench) =>
        playArm(bench, { ...small, name: 'clock ±3 days', rounds: sized(12, 3), reload_every: 3, clocks: true }),
    );
  }
  arms.push((bench) => playKilledBrowser(bench, sized(3, 1) * times));
  arms.push((bench) => playTears(bench, 'log of the copies torn', 'copies'));
  arms.push((bench) => playRandomKills(bench, 'browser killed at random', { kills: KILLS * times, has_key: true }));
  return arms;
}

interface ArmOptions {
  name: string;
  tabs: number;
  locks: boolean;
  rounds: number;
  reload_every: number;
  rule?: Rule;
  /** Kills the server at the first refresh of each round and restarts it. */
  kill?: boolean;
  /** Sets the device's clock wrong, differently each round. */
  clocks?: boolean;
}

async function playArm(bench: Bench, options: ArmOptions): Promise<ArmFigures> {
  const { name, tabs, locks, rounds, reload_every } = options;
  const proxy = await startForwardProxy();
  const guard = (rule: Rule) => (locks ? rule : withoutStreams(rule));
  const figures = { name: describe(name, tabs, locks), rounds: 0, tabs: 0, logouts: 0, stuck: 0 };
  const { rule, refreshes, misfortunes } = countRefreshes(options.rule ?? PASS);
  let kills = 0;
  try {
    proxy.follow(guard(PASS));
    const group = await openTabGroup({ ...bench, proxy, count: tabs, locks });
    for (let round = 1; round <= rounds; round += 1) {
      const killer = options.kill ? killAtRefresh(bench.server, rule) : undefined;
      proxy.follow(guard(killer?.rule ?? rule));
      if (options.clocks) await setClock(group, bench.server, round);
      let outcome: RoundOutcome;
      try {
        outcome = await (round % reload_every === 0 ? group.reloadAtOnce() : group.refreshAtOnce());
      } finally {
        // Also after an error: otherwise the end of the program stops a server that is starting, and hides the error.
        kills += (await killer?.done()) ?? 0;
      }
      proxy.follow(guard(PASS));
      figures.rounds += 1;
      figures.tabs += tabs;
      figures.logouts += outcome.logged_out;
      figures.stuck += outcome.stuck;
      if (outcome.logged_out > 0 && !(await group.recover())) break;
    }
    await group.context.close();
    return report({ ...figures, refreshes: refreshes(), misfortunes: misfortunes() + kills });
  } finally {
    await proxy.close();
  }
}

/** Kills the server while the first refresh of a round is in flight or being handled, and restarts it. */
function killAtRefresh(server: WholeServer, rule: Rule) {
  let kills = 0;
  let restarted = Promise.resolve();
  return {
    rule(request: Parameters<Rule>[0]) {
      if (isRefresh(request) && kills === 0) {
        kills += 1;
        restarted = restartSoon(server);
      }
      return rule(request);
    },
    async done(): Promise<number> {
      await restarted;
      return kills;
    },
  };
}

async function restartSoon(server: WholeServer): Promise<void> {
  await pause(Math.random() * KILLED_WITHIN_MS);
  await server.kill();
  await server.start();
}

/** Offset from the server's clock, which earlier arms have moved. */
async function setClock({ context }: TabGroup, server: WholeServer, round: number): Promise<void> {
  await context.clock.setSystemTime(server.now() + (WRONG_CLOCKS_MS[round % WRONG_CLOCKS_MS.length] ?? 0));
}

async function playKilledBrowser({ server }: Bench, times: number): Promise<ArmFigures> {
  const name = 'browser killed at a refresh, 1 tab';
  const states = await restartKilledBrowser(server, times);
  const countOf = (state: TabState) => states.filter((other) => other === state).length;
  const [rounds, logouts, stuck] = [states.length, countOf('logged_out'), countOf('stuck')];
  return report({ name, rounds, tabs: rounds, refreshes: 2 * rounds, misfortunes: rounds, logouts, stuck });
}

async function playRandomKills({ server }: Bench, name: string, options: KillOptions): Promise<ArmFigures> {
  const states = await killAtRandom(server, options);
  const countOf = (state: TabState) => states.filter((other) => other === state).length;
  const { kills } = options;
  const [logouts, stuck] = [countOf('logged_out'), countOf('stuck')];
  return report({
    name: `${name}, 1 tab`,
    rounds: kills,
    tabs: kills,
    refreshes: kills,
    misfortunes: kills,
    logouts,
    stuck,
  });
}

/**
 * Throws if the browser kept the torn data, because the tear had no effect then, or lost the outbox with the copies.
 */
async function playTears({ server }: Bench, name: string, torn: 'copies' | 'rest'): Promise<ArmFigures> {
  const starts: TornStart[] = [];
  for (let tear = 0; tear < TEARS; tear += 1) starts.push(await startAfterTear(server, torn));
  const kept = { copies: starts.some((start) => start.has_copies), rest: starts.some((start) => start.has_outbox) };
  if (kept[torn]) throw new Error(`a torn log of ${torn} cost nothing`);
  if (torn === 'copies' && starts.some((start) => !start.has_outbox))
    throw new Error('the outbox was lost with the copies');
  const countOf = (outcome: TabState) => starts.filter(({ state }) => state === outcome).length;
  const figures = { rounds: TEARS, tabs: TEARS, refreshes: 2 * TEARS, misfortunes: TEARS };
  return report({ name: `${name}, 1 tab`, ...figures, logouts: countOf('logged_out'), stuck: countOf('stuck') });
}

function playControl(bench: Bench): Promise<ArmFigures> {
  const rule = rotateStrictly();
  const control = { name: 'CONTROL: strict rotation', tabs: FEW_TABS, locks: false, rule };
  return playArm(bench, { ...control, rounds: CONTROL_ROUNDS, reload_every: RELOAD_EVERY });
}

function describe(name: string, tabs: number, locks: boolean): string {
  return `${name}, ${tabs} tabs, ${locks ? 'Web Locks' : 'no locks, no channel'}`;
}

/** Prints an arm's figures at once: the whole program takes minutes. */
function report(figures: ArmFigures): ArmFigures {
  console.log(
    `${Math.round(process.uptime())} s: ${figures.name}: ${figures.logouts} logouts in ${figures.rounds} rounds`,
  );
  return figures;
}

/** Opens the server, a second node next to it, and control of the clock. */
async function openScene(server: WholeServer): Promise<Scene & { close(): Promise<void> }> {
  const operator = await openOperator(server.data_dir);
  const secrets = createSecrets(await loadOrCreateSecret(server.data_dir));
  let shift_ms = 0;
  const sessions = createSessions({ database: operator.database, secrets, now: () => Date.now() + shift_ms });
  return {
    url: server.url,
    now: server.now,
    createKey: createBrowserKey,
    async createUser(key) {
      const { user_id } = await operator.signIn('Robbed');
      const proof = key && { thumbprint: key.thumbprint, id_hash: Buffer.alloc(0) };
      const stolen = await sessions.create(user_id, 'Phone', { proof });
      const other = await sessions.create(user_id, 'Laptop');
      return { refresh_token: stolen.refresh_token, other_session_token: other.refresh_token };
    },
    worksOnSecondNode: (access_token) =>
      sessions.authenticate(access_token).then(
        () => true,
        () => false,
      ),
    async passTime(duration_ms) {
      shift_ms += duration_ms;
      await server.passTime(duration_ms);
    },
    close: operator.close,
  };
}
