import { type Browser, test as base, chromium } from '@playwright/test';
import { type Server, startServer } from './server.ts';

interface TestFixtures {
  /** The real server, one for all tests of a file: neither its records nor its clock are another file's. */
  server: Server;
  /** A server of this test's own: for what counts everything there is, or moves the clock by days. */
  ownServer: Server;
}

interface WorkerFixtures {
  /** Gives the server of a test file, and ends that of the file before. */
  serverOf: (file: string) => Promise<Server>;
  launch: (args?: string[]) => Promise<Browser>;
}

/** Tests get the real server and the Chromium that the set-up found; the fake camera needs switches of its own. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  server: async ({ serverOf }, use, { file }) => use(await serverOf(file)),
  ownServer: async ({ browserName: _ }, use) => {
    const server = await startServer();
    await use(server);
    await server.remove();
  },
  serverOf: [
    async ({ browserName: _ }, use) => {
      let current: { file: string; server: Server } | undefined;
      await use(async (file) => {
        if (current?.file !== file) {
          await current?.server.remove();
          current = { file, server: await startServer() };
        }
        return current.server;
      });
      await current?.server.remove();
    },
    { scope: 'worker' },
  ],
  launch: [
    async ({ browserName: _ }, use) => {
      const browsers: Browser[] = [];
      await use(async (args = []) => {
        const browser = await chromium.launch(launchOptions(args));
        browsers.push(browser);
        return browser;
      });
      for (const browser of browsers) await browser.close();
    },
    { scope: 'worker' },
  ],
});

/** As root Chromium runs without its sandbox or not at all. */
export function launchOptions(args: string[] = []) {
  const executablePath = process.env.CHROMIUM_PATH;
  return {
    ...(executablePath ? { executablePath } : {}),
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-quic',
      // Some distributions switch it on, where there is no GPU too.
      '--disable-gpu-rasterization',
      ...args,
    ],
  };
}
