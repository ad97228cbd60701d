import { afterDelay } from '../../apps/api/test/delays.ts';
import type { Fate, Passing } from '../server/forward-proxy.ts';
import type { NetworkState } from './plan.ts';
import type { Random } from './random.ts';

const LATENCY_MS = 30_000;
const LOST_SHARE = 0.03;
const CUT_SHARE = 0.5;
const FLIP_MS = 800;
const BREAKS = ['lost', 'unanswered', 'cut'] as const;
const PORTAL_ADDRESS = 'http://portal.example/welcome';
const PORTAL_PAGE = '<!doctype html><title>Welcome</title><h1>Free Wi-Fi</h1><p>Accept the terms to go on.</p>';

interface NetworkOptions {
  /** Name and port of the server. */
  host: string;
  random: Random;
  portal_status: number;
  /** Tells the browser whether there is a network. */
  setOffline: (is_offline: boolean) => Promise<void>;
  /** The fate of a request that no trouble meets. */
  serve: (request: Passing) => Fate;
  /** Gets a line for each request, and for its fate. */
  tell?: ((line: string) => void) | undefined;
}

/** Requests that had another fate than to pass. */
export interface Misfortunes {
  lost: number;
  /** The server did the work, and its reply broke off or never came. */
  cut: number;
  /** They arrived when the network got better. */
  hung: number;
  /** They arrived after 30 s, or when the network got better. */
  late: number;
  /** Of a network that loses 3 %: lost or cut. */
  rare_losses: number;
  portal_pages: number;
  /** To the portal's own address. */
  redirects: number;
}

export const NO_MISFORTUNES: Misfortunes = {
  lost: 0,
  cut: 0,
  hung: 0,
  late: 0,
  rare_losses: 0,
  portal_pages: 0,
  redirects: 0,
};

/** The network of one phone. */
export interface Network {
  rule: (request: Passing) => Promise<Fate>;
  /** Requests that were delayed or hang arrive now. */
  set(state: NetworkState): Promise<void>;
  state(): NetworkState;
  /** How often it turned good or bad. */
  flips(): number;
  misfortunes(): Misfortunes;
}

export function createNetwork({ host, random, portal_status, setOffline, serve, tell }: NetworkOptions): Network {
  let state: NetworkState = 'good';
  let is_up = true;
  let flips = 0;
  const misfortunes: Misfortunes = { ...NO_MISFORTUNES };
  let changed = Promise.withResolvers<void>();

  function turn(to_up: boolean): void {
    if (to_up !== is_up) flips += 1;
    is_up = to_up;
  }

  /** Turns good and bad by turns until the state changes; the phone notices every second time. */
  async function flip(): Promise<void> {
    const until = changed.promise;
    let is_over = false;
    void until.then(() => {
      is_over = true;
    });
    while (!is_over) {
      turn(!is_up);
      if (!is_up || random.chance(0.5)) await setOffline(!is_up && random.chance(0.5));
      await Promise.race([until, afterDelay(100 + random.below(FLIP_MS))]);
    }
  }

  async function fateOf(request: Passing): Promise<Fate> {
    const portal: Fate = { status: portal_status, content: PORTAL_PAGE, type: 'text/html; charset=utf-8' };
    switch (state) {
      case 'no_network':
      case 'unreachable':
        return 'lost';
      case 'flips':
        return is_up ? serve(request) : 'lost';
      case 'hang':
        await changed.promise;
        return serve(request);
      case 'latency':
        await Promise.race([changed.promise, afterDelay(LATENCY_MS, { ref: false })]);
        return serve(request);
      case 'cut':
        return random.chance(CUT_SHARE) ? random.pick(['unanswered', 'cut']) : serve(request);
      case 'loss':
        return random.chance(LOST_SHARE) ? random.pick(BREAKS) : serve(request);
      case 'portal':
        return portal;
      case 'redirect':
        return { redirect: PORTAL_ADDRESS };
      default:
        return serve(request);
    }
  }

  return {
    state: () => state,
    flips: () => flips,
    misfortunes: () => misfortunes,
    async rule(request) {
      if (request.host !== host) return { status: 200, content: PORTAL_PAGE, type: 'text/html; charset=utf-8' };
      const met = state;
      tell?.(`${met}: ${request.path}`);
      const fate = await fateOf(request);
      tell?.(`${met}: ${request.path}: ${typeof fate === 'string' ? fate : Object.keys(fate)[0]}`);
      count(misfortunes, met, fate);
      return fate;
    },
    async set(next) {
      changed.resolve();
      changed = Promise.withResolvers();
      state = next;
      turn(next === 'good' || next === 'loss' || next === 'cut');
      await setOffline(next === 'no_network');
      if (next === 'flips') void flip().catch(() => {});
    },
  };
}

function count(misfortunes: Misfortunes, met: NetworkState, fate: Fate): void {
  if (met === 'portal') misfortunes.portal_pages += 1;
  else if (met === 'redirect') misfortunes.redirects += 1;
  else if (met === 'hang') misfortunes.hung += 1;
  else if (met === 'latency') misfortunes.late += 1;
  else if (met === 'loss') misfortunes.rare_losses += BREAKS.some((one) => one === fate) ? 1 : 0;
  else if (fate === 'lost') misfortunes.lost += 1;
  else if (fate === 'cut' || fate === 'unanswered') misfortunes.cut += 1;
}
