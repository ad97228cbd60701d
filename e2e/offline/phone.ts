import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { NO_MAP } from '../browser/fixtures.ts';
import { type LoneBrowser, startLoneBrowser } from '../browser/lone-browser.ts';
import { giveRoom } from '../browser/room.ts';
import { openSyncTrigger } from '../browser/sync-trigger.ts';
import { declineInstallAhead } from '../people/welcome.ts';
import { type Fate, type Passing, startForwardProxy } from '../server/forward-proxy.ts';
import type { Server } from '../server/server.ts';
import { createNetwork, type Network } from './network.ts';
import { clockSwitches, SHIFT_CLOCK_OF_WORKER, shiftClockOfPages } from './phone-clock.ts';
import type { Random } from './random.ts';

/**
 * The longest time that an act may take on the screen: long for a busy machine, and less than the latency, so that a
 * screen that waits for an answer counts as stuck.
 */
export const ACT_TIMEOUT_MS = 25_000;
/** For set-ups, which are not judged: a busy machine may take its time. */
export const SET_UP_TIMEOUT_MS = 60_000;
const DAY_MS = 86_400_000;
const VIEWPORT = { width: 390, height: 844 };
/** A file of the app that is not the app: a page of its origin where no code of it runs, also without a network. */
const CORNER_PATH = '/favicon.svg';

export interface PhoneOptions {
  server: Server;
  random: Random;
  portal_status: number;
  clock_days: number;
  /** The room that the site has on the device; undefined: what the disk has. */
  room_bytes?: number | undefined;
  /** Runs with the context of each browser, before its first page load. */
  prepare: (context: BrowserContext) => Promise<void>;
  /** Control arms serve other files than the server. */
  serve?: ((request: Passing) => Fate) | undefined;
  /** Gets a line for each request, and for its fate. */
  tell: (line: string) => void;
}

/** A Chromium of its own on a profile that outlives it, behind a network of its own. */
export interface Phone {
  readonly network: Network;
  page(): Page;
  /** Starts it if it does not run. */
  start(): Promise<void>;
  close(): Promise<void>;
  kill(): Promise<void>;
  isRunning(): boolean;
  /** Closes the page and opens another one. */
  openNewPage(): Promise<void>;
  /** Leaves the app: no page of it is open, only one of its origin. */
  leaveApp(): Promise<void>;
  /** Wakes the service worker as a network that has come back does. */
  fireSync(): Promise<void>;
  /** From now on, the server has another version of the worker. */
  publishVersion(): void;
  /** How far its clock is wrong. */
  clockDays(): number;
  /** Counts from the next start. */
  setClock(days: number): void;
  /** Sets the room that the site has; undefined: what the disk has. */
  setRoom(bytes: number | undefined): Promise<void>;
  /** The app's warnings in the console since the last call. */
  takeWarnings(): string[];
  remove(): Promise<void>;
}

export async function createPhone(options: PhoneOptions): Promise<Phone> {
  const { server, random, portal_status, tell, serve = () => 'pass' as const } = options;
  const profile_dir = await mkdtemp(join(tmpdir(), 'sendlap-profile-'));
  const proxy = await startForwardProxy();
  const device = createDevice(options, { profile_dir, proxy_address: proxy.address });
  let version = 1;
  const network = createNetwork({
    host: new URL(server.url).host,
    random,
    portal_status,
    setOffline: device.setOffline,
    tell,
    serve: (request) => (request.path === '/sw.js' ? extendWorker(serve(request), version) : serve(request)),
  });
  proxy.follow(network.rule);
  return {
    ...device,
    network,
    start: () => device.start(network.state() === 'no_network'),
    close: () => device.end('close'),
    kill: () => device.end('kill'),
    leaveApp: async () => void (await device.page().goto(server.url + CORNER_PATH)),
    async fireSync() {
      const trigger = await openSyncTrigger(device.page().context(), server.url);
      await trigger.fire();
      await trigger.close();
    },
    publishVersion() {
      version += 1;
    },
    async remove() {
      await device.end('kill');
      await proxy.close();
      // Killed child processes may still be writing there.
      await rm(profile_dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
    },
  };
}

interface Place {
  profile_dir: string;
  proxy_address: string;
}

/** The browser of a phone, and the page that it shows. */
function createDevice({ server, prepare, ...settings }: PhoneOptions, { profile_dir, proxy_address }: Place) {
  let { clock_days, room_bytes } = settings;
  let browser: LoneBrowser | undefined;
  let page: Page | undefined;
  let warnings: string[] = [];

  async function furnish(next: Page): Promise<void> {
    next.setDefaultTimeout(ACT_TIMEOUT_MS);
    next.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
    await next.setViewportSize(VIEWPORT);
    page = next;
    // The override ends with the page that set it.
    if (room_bytes !== undefined) await giveRoom(server, room_bytes)(next);
  }

  function current(): Page {
    if (!page) throw new Error('the phone is off');
    return page;
  }

  return {
    page: current,
    isRunning: () => browser !== undefined,
    async start(is_offline: boolean): Promise<void> {
      if (browser) return;
      // Time that the server's clock has skipped has passed for the phone too.
      const ahead_ms = server.now() - Date.now() + clock_days * DAY_MS;
      browser = await startLoneBrowser(profile_dir, proxy_address, [...NO_MAP, ...clockSwitches(ahead_ms)]);
      const context = browser.page.context();
      await declineInstallAhead(context);
      await shiftClockOfPages(context);
      await prepare(context);
      await furnish(browser.page);
      await context.setOffline(is_offline);
    },
    async end(how: 'close' | 'kill'): Promise<void> {
      const ending = browser;
      browser = undefined;
      page = undefined;
      await ending?.[how]();
    },
    async setOffline(is_offline: boolean): Promise<void> {
      const context = page?.context();
      // The browser may have been killed.
      await context?.setOffline(is_offline).catch(() => {});
    },
    async openNewPage(): Promise<void> {
      const old = current();
      const next = await old.context().newPage();
      // The phone may have been killed.
      if (page !== old) return;
      await furnish(next);
      await old.close();
    },
    clockDays: () => clock_days,
    setClock(days: number): void {
      clock_days = days;
    },
    async setRoom(bytes: number | undefined): Promise<void> {
      room_bytes = bytes;
      await giveRoom(server, bytes)(current());
    },
    takeWarnings(): string[] {
      const taken = warnings;
      warnings = [];
      return taken;
    },
  };
}

/** The worker's clock is that of the phone. The version changes its bytes. */
function extendWorker(fate: Fate, version: number): Fate {
  const end = `${SHIFT_CLOCK_OF_WORKER}// ${version}`;
  return typeof fate === 'object' && 'content' in fate ? { ...fate, content: fate.content + end } : { append: end };
}
