import { type Browser, test as base, chromium, type TestInfo } from '@playwright/test';
import { type JourneyHost, startJourneyHost } from '../server/journey-host-client.ts';
import { type Server, startServer, type WholeServer } from '../server/server.ts';
import { recordUnexpectedErrors } from './console.ts';
import { IS_THOROUGH, report } from './sights.ts';

/** A server's start and the end of the previous one do not count as a journey's time. */
const START_TIMEOUT_MS = 300_000;
/** The reporter prints the end of the attachment with this name. */
const SERVER_LOG = 'server.log';

interface TestOptions {
  /** Environment variables of the server, beyond those that give it its own address and database. */
  server_settings: Record<string, string>;
}

interface TestFixtures {
  /** The real server, one for all tests of a file: no file shares its data or its clock with another. */
  server: Server;
  /** A server for this test alone: if it counts all data, or moves the clock by days. */
  ownServer: Server;
  /** A server in a process of its own with a PostgreSQL of its own, as `npm start` runs it: for tests that kill it. */
  wholeServer: WholeServer;
  /** Starts whole servers with options of their own, which end with the test at the latest. */
  startWhole: typeof startServer;
  /**
   * Browsers with switches of their own, until the end of the test. They are full ones, since the headless shell
   * changes the ids of its cameras at each page load.
   */
  launch: (args?: string[]) => Promise<Browser>;
  /** In a thorough look (`npm run faults -- looks`), no page of the test may write an error to its console. */
  quietConsole: undefined;
}

interface WorkerFixtures {
  /** Returns the server for `key`: the same one until another key is requested, which removes it. */
  openServer: (key: string, settings: Record<string, string>) => Promise<Server>;
}

async function attachLogOfFailure(server: Server, test_info: TestInfo): Promise<void> {
  if (test_info.status === test_info.expectedStatus) return;
  await test_info.attach(SERVER_LOG, { body: server.log(), contentType: 'text/plain' });
}

/** The test function, with the real server and the Chromium that the set-up found. */
export const test = base.extend<TestOptions & TestFixtures, WorkerFixtures>({
  server_settings: [{}, { option: true }],
  server: [
    async ({ openServer, server_settings }, use, test_info) => {
      const server = await openServer(`${test_info.file} ${JSON.stringify(server_settings)}`, server_settings);
      await use(server);
      await attachLogOfFailure(server, test_info);
    },
    { timeout: START_TIMEOUT_MS },
  ],
  ownServer: [
    async ({ openServer, server_settings }, use, test_info) => {
      const server = await openServer(test_info.testId, server_settings);
      await use(server);
      await attachLogOfFailure(server, test_info);
    },
    { timeout: START_TIMEOUT_MS },
  ],
  wholeServer: [
    async ({ server_settings }, use, test_info) => {
      const server = await startServer({ env: server_settings, is_printing: false });
      await use(server);
      await attachLogOfFailure(server, test_info);
      await server.remove();
    },
    { timeout: START_TIMEOUT_MS },
  ],
  startWhole: [
    async ({ browserName: _ }, use, test_info) => {
      const servers: WholeServer[] = [];
      await use(async (options) => {
        const server = await startServer({ is_printing: false, ...options });
        servers.push(server);
        return server;
      });
      for (const server of servers) {
        await attachLogOfFailure(server, test_info);
        await server.remove();
      }
    },
    { timeout: START_TIMEOUT_MS },
  ],
  quietConsole: [
    async ({ browser }, use, test_info) => {
      if (!IS_THOROUGH) return use(undefined);
      const errors = new Set<string>();
      const open = browser.newContext;
      browser.newContext = async (...options) => {
        const context = await open.apply(browser, options);
        recordUnexpectedErrors(context, errors);
        return context;
      };
      await use(undefined);
      browser.newContext = open;
      report(`console of ${test_info.title}`, [...errors]);
    },
    { auto: true },
  ],
  launch: async ({ browserName: _ }, use) => {
    const browsers: Browser[] = [];
    await use(async (args = []) => {
      const browser = await chromium.launch(launchOptions([NO_OPTIMIZERS, ...NO_MAP, ...args]));
      browsers.push(browser);
      return browser;
    });
    for (const browser of browsers) await browser.close();
  },
  openServer: [
    async ({ browserName: _ }, use) => {
      let host: JourneyHost | undefined;
      let current: { key: string; server: Server } | undefined;
      await use(async (key, settings) => {
        if (current?.key === key) return current.server;
        await current?.server.remove();
        current = undefined;
        host ??= startJourneyHost();
        current = { key, server: await host.open(settings) };
        return current.server;
      });
      await host?.end();
    },
    { scope: 'worker', timeout: START_TIMEOUT_MS },
  ],
});

/**
 * Features of a desktop window that no user sees: Chromium loads two pages for the suggestions of its address bar into
 * each, which takes as long as the app itself. The other names are Playwright's own: Chromium uses only the last such
 * list.
 */
const NO_FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

/**
 * A device without WebGL, where the app shows a text instead of a map. Without a graphics card, drawing a map takes all
 * of the CPU.
 */
export const NO_MAP = ['--disable-3d-apis'];

/** No page of a journey lives long enough to repay the time of V8's optimizing compilers. */
const NO_OPTIMIZERS = '--js-flags=--no-opt --no-maglev';

/** Chromium's headless shell, if the set-up found one: it takes less CPU time. */
export function shellOptions(args: string[] = []) {
  return launchOptions([NO_OPTIMIZERS, ...args], process.env.CHROMIUM_SHELL_PATH || process.env.CHROMIUM_PATH);
}

/** As root, Chromium runs only without its sandbox. */
export function launchOptions(args: string[] = [], executablePath = process.env.CHROMIUM_PATH) {
  return {
    ...(executablePath ? { executablePath } : {}),
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-quic',
      // Some distributions switch it on even without a GPU.
      '--disable-gpu-rasterization',
      `--disable-features=${NO_FEATURES.join()}`,
      ...args,
    ],
  };
}
