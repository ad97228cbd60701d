import type { User } from '@sendlap/contract/users.ts';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, vi } from 'vitest';
import { runTurns } from '#test/unit/run-turns.ts';
import {
  clearDevice,
  type Departures,
  noteDepartures,
  setLanguages,
  setOnline,
  setSessionFlag,
  setVisible,
} from './device/device.ts';
import {
  holdDeviceClock,
  moveDeviceClock,
  passDeviceTime,
  startDeviceClock,
  stopDeviceClock,
} from './device/device-clock.ts';
import { forgetPage, loadPage } from './device/page-life.ts';
import { FakeServer } from './models/fake-server.ts';
import { answerSignedIn, answerVisitors } from './models/signed-in.ts';
import { NORA } from './people.ts';

interface Options {
  path?: string;
  /** The signed-in user; null for a visitor. */
  as?: User | null;
  /** Replaces or adds handlers before the app sends its first request. */
  prepare?: (server: FakeServer) => void;
  language?: 'en' | 'es';
  /** The browser's own variant of the language, whose region has its usual units; Britain's or Spain's by default. */
  locale?: string;
  /** The device's clock at the start; it runs by itself, and leaps with `passTime`. */
  now?: string;
}

/** The app on one phone: the real modules against a fake server. */
export interface Phone {
  server: FakeServer;
  /** Taps and types as a user does. */
  user: ReturnType<typeof userEvent.setup>;
  departures: Departures;
  /** Loads the page again, or another one; the device's stores stay. */
  reload(path?: string): Promise<void>;
  /** Switches the device's network on or off: without one, no request reaches the server. */
  setOnline(online: boolean): void;
  /** Lets time pass on the device, see `passDeviceTime`. Only with `now`. */
  passTime(duration_ms: number): Promise<void>;
  /** Sets the device's clock ahead of the server's, or back by a negative time. Only with `now`. */
  moveClock(move_ms: number): void;
  /**
   * Stops the clock of the device until the end of the test: it moves by `passTime`, and by 50 ms with each poll of
   * `vi.waitFor`; `findBy…` looks only when the screen changes. Only with `now`.
   */
  holdTime(): void;
}

let endPage: (() => void) | null = null;
let current: FakeServer | null = null;

/** Opens the app. One phone per test; it is closed and wiped after the test. */
export async function openApp(options: Options = {}): Promise<Phone> {
  const { path = '/dashboard', as = NORA, prepare, language = 'en', locale, now } = options;
  if (now) startDeviceClock(now);
  const server = new FakeServer();
  current = server;
  answerVisitors(server);
  if (as) {
    answerSignedIn(server, as);
    setSessionFlag(true);
  }
  prepare?.(server);
  setLanguages(locale ?? (language === 'es' ? 'es-ES' : 'en-GB'));
  const departures = noteDepartures();

  /** Without an address, the browser's entry stays as it is: the page is reloaded. */
  async function load(address?: string): Promise<void> {
    if (endPage) {
      endPage();
      // Work that the page has in progress ends without a network: later it would find that of the next page, and send
      // the next page's rows. A way back that it has begun ends, too.
      await runTurns();
    }
    if (address !== undefined) history.replaceState(null, '', address);
    const network = connect(server);
    vi.stubGlobal('fetch', network.fetch);
    const end = await loadPage();
    endPage = () => {
      network.end();
      end();
    };
  }
  // Before the page: it detects typing by listeners on the document, which outlive every page.
  const user = tapWhatIsEnabled(userEvent.setup(now ? { advanceTimers: vi.advanceTimersByTime } : {}));
  await load(path);
  return {
    server,
    user,
    departures,
    reload: load,
    setOnline(online) {
      server.setDown(!online);
      setOnline(online);
    },
    passTime: passDeviceTime,
    moveClock(move_ms) {
      moveDeviceClock(move_ms);
      server.deviceMoved(move_ms);
    },
    holdTime: holdDeviceClock,
  };
}

/**
 * Waits until an element is enabled before the click: a disabled one may only wait for the server, and a click on it
 * would do nothing.
 */
function tapWhatIsEnabled(user: Phone['user']): Phone['user'] {
  return {
    ...user,
    async click(element) {
      await vi.waitFor(() => expect(element.matches(':disabled'), 'disabled').toBe(false));
      await user.click(element);
    },
  };
}

/** The network of one page life: after its end, no reply and no event reaches the page. */
function connect(server: FakeServer) {
  let is_over = false;
  const never = new Promise<never>(() => {});
  return {
    async fetch(...request: Parameters<typeof server.fetch>): Promise<Response> {
      if (is_over) return never;
      const settled = await server.fetch(...request).catch((error: unknown) => ({ error }));
      if (is_over) return never;
      if ('error' in settled) throw settled.error;
      return settled;
    },
    end() {
      is_over = true;
      server.stream.abandon();
    },
  };
}

afterEach(async () => {
  endPage?.();
  endPage = null;
  // Work the page has in progress ends before the next test: it may still navigate or write to a store.
  await runTurns();
  forgetPage();
  const faulty = current?.faulty ?? [];
  current = null;
  setOnline(true);
  setVisible(true);
  stopDeviceClock();
  await clearDevice();
  expect(faulty, 'requests without a handler, or outside of the contract').toEqual([]);
});
