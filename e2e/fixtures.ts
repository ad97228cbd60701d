import { type Browser, test as base, chromium } from '@playwright/test';
import { type DataTemplate, makeDataTemplate } from './data-template.ts';
import { type Server, startServer } from './server.ts';

/** A server's start, and the end of that before, are no part of a journey's time. */
const START_TIMEOUT_MS = 210_000;

interface TestFixtures {
  /** The real server, one for all tests of a file: neither its records nor its clock are another file's. */
  server: Server;
  /** A server of this test's own: for what counts everything there is, or moves the clock by days. */
  ownServer: Server;
  /**
   * Browsers with switches of their own, until the end of the test: whole ones, for the headless shell gives its cameras
   * other ids at each load of a page.
   */
  launch: (args?: string[]) => Promise<Browser>;
}

interface WorkerFixtures {
  /** Gives the server of a test file, and ends that of the file before. */
  serverOf: (file: string) => Promise<Server>;
}

/** Tests get the real server and the Chromium that the set-up found. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  server: [async ({ serverOf }, use, { file }) => use(await serverOf(file)), { timeout: START_TIMEOUT_MS }],
  ownServer: [
    async ({ browserName: _ }, use) => {
      const server = await startServer();
      await use(server);
      await server.remove();
    },
    { timeout: START_TIMEOUT_MS },
  ],
  launch: async ({ browserName: _ }, use) => {
    const browsers: Browser[] = [];
    await use(async (args = []) => {
      const browser = await chromium.launch(launchOptions([...NO_MAP, ...args]));
      browsers.push(browser);
      return browser;
    });
    for (const browser of browsers) await browser.close();
  },
  serverOf: [
    async ({ browserName: _ }, use) => {
      let current: { file: string; server: Server } | undefined;
      let template: DataTemplate | undefined;
      await use(async (file) => {
        if (current?.file !== file) {
          // The first makes its database itself, as everybody's first start does.
          if (current) template ??= await makeDataTemplate();
          const [server] = await Promise.all([startServer({ template }), current?.server.remove()]);
          current = { file, server };
        }
        return current.server;
      });
      await current?.server.remove();
    },
    { scope: 'worker' },
  ],
});

/**
 * Of a desktop's window that nobody sees: Chromium loads two pages for the suggestions of its address bar into each,
 * which takes as long as the app itself. The other names are Playwright's own: Chromium heeds the last such list only.
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

/** A device without WebGL: where a map would be it says so. A map drawn without a graphics card takes all there is. */
export const NO_MAP = ['--disable-3d-apis'];

/** Chromium without a window and all around it, where the set-up found one: it takes less of the processor's time. */
export function shellOptions(args: string[] = []) {
  return launchOptions(args, process.env.CHROMIUM_SHELL_PATH || process.env.CHROMIUM_PATH);
}

/** As root Chromium runs without its sandbox or not at all. */
export function launchOptions(args: string[] = [], executablePath = process.env.CHROMIUM_PATH) {
  return {
    ...(executablePath ? { executablePath } : {}),
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-quic',
      // Some distributions switch it on, where there is no GPU too.
      '--disable-gpu-rasterization',
      `--disable-features=${NO_FEATURES.join()}`,
      ...args,
    ],
  };
}
