import { syncActivities } from '@sendlap/contract/activities.ts';
import { login } from '@sendlap/contract/auth.ts';
import type { Moments } from '../base/moments.ts';
import type { Random } from '../base/random.ts';
import type { See } from '../base/sights.ts';
import type { ModelReply, ModelRequest, Server } from '../server/server.ts';
import type { LateStorage } from './late-storage.ts';

const WAY_MS = 3_000;
/** Longer than the app waits for an answer. */
const LATE_MS = 30_000;
const PORTAL_STATUSES = [200, 302, 401, 403, 404, 502, 503] as const;

interface NetworkDeps {
  random: Random;
  moments: Moments;
  server: Server;
  see: See;
  cookies: LateStorage;
}

export type State = 'shaky' | 'portal' | 'offline' | 'good';

/** One request of a page, in the network. */
export interface Exchange {
  path: string;
  /** The server has acted, and the page does not know yet. */
  is_unanswered: boolean;
  /** The page waits for it no longer. */
  is_given_up: boolean;
  /** A browser that has died sets no cookie. */
  isHeard: () => boolean;
}

/** The network of one phone, between `fetch` and the server. */
export function createNetwork({ random, moments, server, see, cookies }: NetworkDeps) {
  let state: State = 'shaky';
  const under_way = new Set<Exchange>();
  const damage: string[] = [];
  const end = new AbortController();

  const pass = (limit_ms: number) => new Promise<void>((done) => void moments.after(random.below(limit_ms), done));

  function nextTrouble() {
    if (state === 'good') return 'none';
    if (state !== 'shaky') return state;
    return random.pick(['none', 'none', 'none', 'dropped', 'cut', 'duplicated', 'portal', 'late'] as const);
  }

  function setCookies(reply: ModelReply): void {
    for (const [name, value] of Object.entries(reply.cookies)) {
      if (value === null) cookies.removeItem(name);
      else cookies.setItem(name, value);
    }
  }

  async function exchange(request: ModelRequest, about: Exchange): Promise<Response | ModelReply> {
    const trouble = nextTrouble();
    if (trouble !== 'none') see(trouble);
    if (trouble === 'offline') throw new TypeError('Failed to fetch');
    await pass(trouble === 'late' ? LATE_MS : WAY_MS);
    if (trouble === 'dropped') throw new TypeError('Failed to fetch');
    if (trouble === 'portal') return answerAsPortal(random);
    // A sign-in that arrived late would take the place of a later one, as its user asked.
    if (request.path === login.path && (about.is_given_up || !about.isHeard())) throw new TypeError('Failed to fetch');
    const reply = server.handle(request);
    about.is_unanswered = true;
    if (trouble === 'duplicated') server.handle(request);
    await pass(WAY_MS);
    if (trouble === 'cut') throw new TypeError('Failed to fetch');
    return reply;
  }

  /** One browser sends its steps one batch at a time. */
  function findTwoRunners({ path }: Exchange): void {
    const isAnotherRunner = (other: Exchange) => other.path === path && other.isHeard() && !other.is_given_up;
    if (path === syncActivities.path && [...under_way].some(isAnotherRunner)) damage.push('two runners send at once');
  }

  async function send(init: RequestInit, about: Exchange): Promise<Response> {
    const { path } = about;
    const signed_out = cookies.getItem('signed_out');
    const request: ModelRequest = {
      method: init.method ?? 'GET',
      path,
      headers: init.headers as Record<string, string>,
      body: init.body === undefined ? null : JSON.parse(String(init.body)),
      cookies: { refresh: cookies.getItem('refresh'), signed_out },
    };
    const aborted = new Promise<never>((_done, fail) => {
      init.signal?.addEventListener('abort', giveUp, { once: true, signal: end.signal });
      function giveUp(): void {
        about.is_given_up = true;
        fail(init.signal?.reason);
      }
    });
    const reply = await Promise.race([exchange(request, about), aborted]);
    if (reply instanceof Response) return reply;
    if (about.isHeard()) setCookies(reply);
    return new Response(JSON.stringify(reply.body), { status: reply.status, headers: reply.headers });
  }

  return {
    damage,
    send(init: RequestInit, about: Exchange): Promise<Response> {
      findTwoRunners(about);
      under_way.add(about);
      return send(init, about).finally(() => under_way.delete(about));
    },
    /** Returns whether the server has acted on a request of this page to this path, and the page does not know yet. */
    isUnanswered: (isOfPage: Exchange['isHeard'], path: string) =>
      [...under_way].some((about) => about.isHeard === isOfPage && about.is_unanswered && about.path.startsWith(path)),
    isOnline: () => state !== 'offline',
    /** Node keeps each signal that has a listener, and with it the whole world. */
    end: () => end.abort(),
    setState(next: State): void {
      state = next;
    },
  };
}

export type Network = ReturnType<typeof createNetwork>;

function answerAsPortal(random: Random): Response {
  const status = random.pick(PORTAL_STATUSES);
  // To another origin, whose page the browser does not hand over.
  if (status === 302) throw new TypeError('Failed to fetch');
  return new Response('<!doctype html><title>Welcome</title>', { status, headers: { 'content-type': 'text/html' } });
}
