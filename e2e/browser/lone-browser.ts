import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { chromium, type Page } from '@playwright/test';
import { launchOptions } from './fixtures.ts';

const ADDRESS = /^DevTools listening on (ws:\S+)/;

/** A Chromium of its own on a profile that outlives it. */
export interface LoneBrowser {
  page: Page;
  /** Closes it as its user does: afterwards everything is on the disk. */
  close(): Promise<void>;
  /** Kills all its processes at once, as a crash or an empty battery does. */
  kill(): Promise<void>;
}

export async function startLoneBrowser(
  profile_dir: string,
  proxy_address: string,
  extra_switches: string[] = [],
): Promise<LoneBrowser> {
  const { executablePath = chromium.executablePath(), args } = launchOptions(extra_switches);
  const switches = [
    ...args,
    '--headless',
    '--remote-debugging-port=0',
    `--user-data-dir=${profile_dir}`,
    `--proxy-server=${proxy_address}`,
    '--proxy-bypass-list=<-loopback>',
    '--password-store=basic',
    '--no-first-run',
  ];
  // A process group of its own, so that no child process survives.
  const child = spawn(executablePath, [...switches, 'about:blank'], {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const killAll = () => {
    if (child.pid && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGKILL');
  };
  // Also if the program is stopped half-way.
  process.once('exit', killAll);
  const ended = new Promise<void>((resolve) =>
    child.once('exit', () => {
      process.off('exit', killAll);
      resolve();
    }),
  );
  const address = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`Chromium ended with code ${code}`)));
    createInterface({ input: child.stderr }).on('line', (line) => {
      const found = ADDRESS.exec(line)?.[1];
      if (found) resolve(found);
    });
  });
  const browser = await chromium.connectOverCDP(address);
  // A test that ends before Playwright has noticed would fail: it still records the browser that is gone.
  const disconnected = new Promise<void>((resolve) => browser.once('disconnected', () => resolve()));
  const [context] = browser.contexts();
  const page = context?.pages()[0] ?? (await context?.newPage());
  if (!page) throw new Error('Chromium has no page');
  return {
    page,
    async close() {
      const devtools = await browser.newBrowserCDPSession();
      // The answer may get lost when the browser ends.
      await devtools.send('Browser.close').catch(() => {});
      await Promise.all([ended, disconnected]);
    },
    async kill() {
      killAll();
      await Promise.all([ended, disconnected]);
    },
  };
}
