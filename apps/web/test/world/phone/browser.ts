import type { Server } from '../server/server.ts';
import { createDisk } from './disk.ts';
import { createLocks } from './locks.ts';
import { createNetwork } from './network.ts';
import { openPage, type Page, type PageDeps } from './page.ts';
import { createTabChannels } from './tab-channels.ts';
import { createWorker } from './worker.ts';

type OfBrowser = 'disk' | 'network' | 'locks' | 'channels' | 'wallNow' | 'sync' | 'reload';

export interface BrowserDeps extends Omit<PageDeps, OfBrowser> {
  server: Server;
}

interface Tab {
  page: Page;
  must_reload: boolean;
}

/** Chromium writes cookies so late, and local storage. */
const LATE_WRITE_MS = 30_000;
const MOST_TABS = 2;
/** Safari and Firefox wake no worker. */
const BACKGROUND_SYNC_CHANCE = 0.6;

/** The browser of a phone, with its tabs, of which one is in front, its worker, its disk, its clock and its network. */
export async function createBrowser(deps: BrowserDeps) {
  const { random, moments, see, server } = deps;
  const disk = createDisk(moments.now);
  const network = createNetwork({ random, moments, server, see, cookies: disk.cookies });
  let clock_offset_ms = 0;
  const wallNow = () => moments.now() + clock_offset_ms;
  const parts = { ...deps, disk, network, locks: createLocks(), channels: createTabChannels(), wallNow };
  const worker = createWorker({ ...parts, hasPage: () => tabs.some(({ page }) => page.isAlive()) });
  const common = { ...parts, sync: random.chance(BACKGROUND_SYNC_CHANCE) ? worker : undefined };
  let tabs: Tab[] = [];

  async function openTab(): Promise<Tab> {
    // The page may ask at once.
    const tab: Pick<Tab, 'must_reload'> & Partial<Tab> = { must_reload: false };
    const reload = () => {
      tab.must_reload = true;
    };
    const page = await openPage({ ...common, reload });
    return Object.assign(tab, { page });
  }

  let front = await openTab();
  tabs = [front];

  async function replace(tab: Tab): Promise<void> {
    tab.page.end();
    const next = await openTab();
    tabs = tabs.map((one) => (one === tab ? next : one));
    if (front === tab) front = next;
  }

  return {
    disk,
    network,
    wallNow,
    page: () => front.page,
    reload: () => replace(front),
    /** Reloads the tabs that have asked for it. */
    async attend(): Promise<void> {
      for (const tab of tabs.filter(({ must_reload }) => must_reload)) await replace(tab);
    },
    signedOutPages: () => tabs.map(({ page }) => page).filter((page) => page.shownUser() === null),
    /** Opens another tab, turns to it, or closes the one in front. */
    async turnToTab(): Promise<void> {
      if (tabs.length < MOST_TABS) tabs = [...tabs, await openTab()];
      else if (random.chance(0.5)) {
        front.page.end();
        tabs = tabs.filter((tab) => tab !== front);
      }
      front = tabs.find((tab) => tab !== front) ?? front;
      see('second tab');
    },
    /** Closes all tabs; the worker may go on. */
    async close(whileClosed: () => Promise<void>): Promise<void> {
      for (const { page } of tabs) page.end();
      await whileClosed();
      front = await openTab();
      tabs = [front];
    },
    /** The browser is killed: what it had not written is lost. */
    async crash(): Promise<void> {
      see('crash');
      for (const { page } of tabs) page.end(true);
      worker.kill(true);
      const is_late = [
        disk.local_storage.crash(random.below(LATE_WRITE_MS)),
        disk.cookies.crash(random.below(LATE_WRITE_MS)),
      ];
      if (is_late.includes(true)) see('browser wrote late');
      front = await openTab();
      tabs = [front];
    },
    end(): void {
      for (const { page } of tabs) page.end();
      worker.kill();
    },
    moveClock(move_ms: number): void {
      clock_offset_ms += move_ms;
    },
  };
}

export type Browser = Awaited<ReturnType<typeof createBrowser>>;
