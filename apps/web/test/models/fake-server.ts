import { EVENTS_PATH, type LiveEvent } from '@sendlap/contract/events.ts';
import type { Endpoint, ParsedRequest, Reply } from '@sendlap/contract/wire/endpoint.ts';
import { ERROR_STATUS, type ErrorCode } from '@sendlap/contract/wire/errors.ts';
import { createFakeStream } from './fake-stream.ts';

/** Thrown by a handler to refuse a request with a code of the contract. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, headers: Record<string, string> = {}) {
    super(`refused: ${code}`);
    this.code = code;
    this.status = ERROR_STATUS[code];
    this.headers = headers;
  }
}

/** A request as the handler sees it: parsed by the endpoint's schemas. */
export type Asked<E extends Endpoint> = ParsedRequest<E> & { headers: Headers };
type Handler<E extends Endpoint> = (asked: Asked<E>) => Reply<E> | Promise<Reply<E>>;

interface Registered {
  endpoint: Endpoint;
  handle: (asked: Asked<Endpoint>) => unknown;
  /** Lasts until `heal`. */
  is_fault?: boolean;
}

/** A request that stays unanswered until the test releases it. */
export interface Held {
  /** Resolves once the app has sent the request. */
  arrived: Promise<void>;
  /** Releases every held request of this endpoint. */
  release(): void;
}

/**
 * The server as the app sees it through `fetch`: one handler per object of the contract. Requests and replies are
 * parsed by the endpoint's own schemas, so a fake that the real server could not send fails the test.
 */
export class FakeServer {
  readonly stream = createFakeStream();
  /** Requests without a handler, and requests and replies that break the contract: a test must leave none. */
  readonly faulty: string[] = [];
  #handlers: Registered[] = [];
  readonly #raw: { prefix: string; reply: () => Response | Promise<Response> }[] = [];
  readonly #asked: { endpoint: Endpoint; asked: Asked<Endpoint> }[] = [];
  readonly #unreachable = new Set<Endpoint>();
  readonly #holds = new Map<Endpoint, { released: Promise<void>; arrive: () => void }>();
  #device_ahead_ms = 0;
  #is_down = false;
  #hanging: PromiseWithResolvers<void> | null = null;
  #portal_status: number | null = null;

  /** Replaces `globalThis.fetch`: aborts as a browser's does. */
  async fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const { signal, ...rest } = init ?? {};
    const request = input instanceof Request ? input : new Request(new URL(String(input), location.href), rest);
    signal?.throwIfAborted();
    const aborted = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
    const answered = this.#answer(request);
    answered.catch(() => {});
    return Promise.race([answered, aborted]);
  }

  /** Another one says that the server was restored from a backup. */
  epoch = 'the first one';

  /** The device's clock was set ahead by so many ms; this server's clock stays. */
  deviceMoved(move_ms: number): void {
    this.#device_ahead_ms += move_ms;
  }

  /** The server's time, ms epoch. */
  now(): number {
    return Date.now() - this.#device_ahead_ms;
  }

  /** Sets the handler of an endpoint; the newest handler wins. */
  on<const E extends Endpoint>(endpoint: E, handle: Handler<E>): void {
    this.#handlers.unshift({ endpoint, handle: handle as unknown as Registered['handle'] });
  }

  /** Refuses an endpoint from now on, until `on` or `heal` is called for it. */
  refuse(endpoint: Endpoint, code: ErrorCode, headers?: Record<string, string>): void {
    const handle = () => {
      throw new Refusal(code, headers);
    };
    this.#handlers.unshift({ endpoint, handle, is_fault: true });
  }

  /** Replies without an envelope: files, tiles, the page of a portal. Answers every address with this prefix. */
  onRaw(prefix: string, reply: () => Response | Promise<Response>): void {
    this.#raw.unshift({ prefix, reply });
  }

  /** Replies to one endpoint without an envelope, as a proxy in front of the server does, until `heal`. */
  replyRaw(endpoint: Endpoint, reply: () => Response): void {
    this.#handlers.unshift({ endpoint, handle: reply, is_fault: true });
  }

  /** Breaks the connection for requests of an endpoint, until `heal` is called for it. */
  fail(endpoint: Endpoint): void {
    this.#unreachable.add(endpoint);
  }

  /** Ends the failures and refusals of an endpoint: its previous handler answers again. */
  heal(endpoint: Endpoint): void {
    this.#unreachable.delete(endpoint);
    this.#handlers = this.#handlers.filter((handler) => handler.endpoint !== endpoint || !handler.is_fault);
  }

  /** Holds the requests of an endpoint until they are released. */
  hold(endpoint: Endpoint): Held {
    const released = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    this.#holds.set(endpoint, { released: released.promise, arrive: arrived.resolve });
    const release = () => {
      this.#holds.delete(endpoint);
      released.resolve();
    };
    return { arrived: arrived.promise, release };
  }

  /** Answers no request, and opens no stream, until the returned function is called; the device is online. */
  hang(): () => void {
    const hanging = Promise.withResolvers<void>();
    this.#hanging = hanging;
    this.stream.cut();
    return () => {
      this.#hanging = null;
      hanging.resolve();
    };
  }

  /** Drops all connections, streams included; the device still believes that it is online. */
  setDown(is_down: boolean): void {
    this.#is_down = is_down;
    if (is_down) this.stream.cut();
  }

  /** A captive portal: answers every request with its own page and this status; null ends it. */
  setPortal(status: number | null): void {
    this.#portal_status = status;
    if (status !== null) this.stream.cut();
  }

  /** Returns the requests of an endpoint, oldest first. */
  asked<const E extends Endpoint>(endpoint: E): Asked<E>[] {
    const found = this.#asked.filter((entry) => entry.endpoint === endpoint);
    return found.map((entry) => entry.asked as unknown as Asked<E>);
  }

  /** Sends an event to the open streams, as a commit of the real server does. */
  tell(event: LiveEvent): void {
    this.stream.tell(event);
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    await this.#hanging?.promise;
    if (this.#is_down) throw new TypeError('Failed to fetch');
    if (this.#portal_status !== null) return portalPage(this.#portal_status);
    const page = this.#raw.find(({ prefix }) => pathname.startsWith(prefix));
    if (page) return page.reply();
    if (pathname === EVENTS_PATH) return this.stream.open(request);
    const found = this.#find(request.method, pathname);
    if (!found) return this.#complain(`${request.method} ${pathname}: no handler`, 'not_found');
    const { endpoint, handle, params } = found;
    const asked = await parse(endpoint, params, request);
    if (typeof asked === 'string')
      return this.#complain(`${request.method} ${pathname}: ${asked}`, 'validation_failed');
    this.#asked.push({ endpoint, asked });
    const hold = this.#holds.get(endpoint);
    hold?.arrive();
    await hold?.released;
    // Checked after the wait: the network may have failed in between.
    if (this.#is_down || this.#unreachable.has(endpoint)) throw new TypeError('Failed to fetch');
    return this.#run(endpoint, handle, asked);
  }

  /** Returns the newest handler of the endpoint with the most specific path: `/search` before `/:id`. */
  #find(method: string, pathname: string) {
    const fitting = this.#handlers.flatMap((registered) => {
      const params = registered.endpoint.method === method ? matchPath(registered.endpoint.path, pathname) : null;
      return params ? [{ ...registered, params }] : [];
    });
    const least = Math.min(...fitting.map(({ params }) => Object.keys(params).length));
    return fitting.find(({ params }) => Object.keys(params).length === least) ?? null;
  }

  async #run(endpoint: Endpoint, handle: Registered['handle'], asked: Asked<Endpoint>): Promise<Response> {
    try {
      const handled = await handle(asked);
      if (handled instanceof Response) return handled;
      const result = endpoint.data.safeParse(handled);
      if (!result.success) {
        const broken = `${endpoint.method} ${endpoint.path}: the fake's reply breaks the contract`;
        return this.#complain(`${broken}: ${result.error.message}`, 'internal_error');
      }
      const headers = { 'x-server-time': String(this.now()), 'x-server-epoch': this.epoch };
      return Response.json({ success: true, data: result.data }, { status: endpoint.status ?? 200, headers });
    } catch (error) {
      if (error instanceof Refusal) return failure(error, this.now());
      throw error;
    }
  }

  #complain(fault: string, code: ErrorCode): Response {
    this.faulty.push(fault);
    return failure(new Refusal(code), this.now());
  }
}

async function parse(endpoint: Endpoint, raw_params: unknown, request: Request): Promise<Asked<Endpoint> | string> {
  const { searchParams } = new URL(request.url);
  const text = request.method === 'GET' ? '' : await request.text();
  const parts = {
    params: raw_params,
    query: Object.fromEntries(searchParams),
    body: text === '' ? undefined : JSON.parse(text),
  };
  const parsed: Record<string, unknown> = { headers: request.headers };
  for (const part of ['params', 'query', 'body'] as const) {
    const result = endpoint[part]?.safeParse(parts[part]);
    if (result && !result.success) return `${part}: ${result.error.issues.map(({ message }) => message).join(', ')}`;
    parsed[part] = result?.data;
  }
  return parsed as unknown as Asked<Endpoint>;
}

/** The id of every refused request. */
export const REQUEST_ID = '5f0a1b2c3d4e';

/** A refusal as the real server sends it. */
export function failure({ message, code, status, headers }: Refusal, now_ms: number): Response {
  const said = { success: false, message, code, error: message };
  const own_headers = { 'x-server-time': String(now_ms), 'x-request-id': REQUEST_ID };
  return Response.json(said, { status, headers: { ...own_headers, ...headers } });
}

function portalPage(status: number): Response {
  const headers = { 'content-type': 'text/html' };
  return new Response('<h1>Welcome to the Wi-Fi of the pool</h1>', { status, headers });
}

/** Returns the parameters of a path such as `/v1/chats/:chat_id`, or null if the address belongs to another path. */
function matchPath(pattern: string, pathname: string): Record<string, string> | null {
  const wanted = pattern.split('/');
  const given = pathname.replace(/\/$/, '').split('/');
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = decodeURIComponent(value);
    else if (part !== value) return null;
  }
  return params;
}
