import { endpoint } from '@sendlap/contract/wire/endpoint.ts';
import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { createTab, refusal, reply } from '#test/unit/fake-server.ts';
import { createRequestCache, REQUEST_CACHE_LIFETIME_MS, REQUEST_CACHE_MAX_ENTRIES } from './request-cache.ts';

const MINUTE_MS = 60_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A cache in front of a server that records its requests. */
function createCache(max_entries?: number) {
  let signOut = () => {};
  let write: (endpoint: { method: 'GET' | 'POST' | 'PATCH' | 'DELETE'; path: string }) => void = () => {};
  const client = createRequestCache({
    onSignedOut: (listener) => {
      signOut = listener;
    },
    onWritten: (listener) => {
      write = listener;
    },
    onRecovered: () => {},
    ...(max_entries === undefined ? {} : { max_entries }),
  });
  const asked: string[] = [];
  const read = (key: readonly string[], fails = false) =>
    client
      .fetchQuery({
        queryKey: key,
        queryFn: async () => {
          asked.push(key.join('/'));
          if (fails) throw new Error('refused');
          return asked.length;
        },
      })
      .catch(() => null);
  const held = () =>
    client
      .getQueryCache()
      .getAll()
      .filter((query) => query.state.data !== undefined)
      .map((query) => query.queryKey.join('/'));
  return { client, asked, read, held, signOut: () => signOut(), write: (e: Parameters<typeof write>[0]) => write(e) };
}

test('a read that failed, or was refused, is sent again at once [spec 9.request-cache.what]', async () => {
  const { asked, read, held } = createCache();
  await read(['friends'], true);
  await read(['friends'], true);
  expect(asked).toEqual(['friends', 'friends']);
  expect(held()).toEqual([]);
});

test('writes are never answered from the cache, refused reads are not kept, and good ones are [spec 9.request-cache.what]', async () => {
  const write = endpoint({ method: 'PUT', path: '/v1/x', summary: '', access: 'anyone', data: z.object({}) });
  const get = endpoint({ method: 'GET', path: '/v1/x', summary: '', access: 'anyone', data: z.object({}) });
  let works = false;
  const tab = createTab({ 'PUT /v1/x': () => reply({}), 'GET /v1/x': () => (works ? reply({}) : refusal(404, 'no')) });
  const { client } = createCache();
  const put = () =>
    client
      .getMutationCache()
      .build(client, { mutationFn: () => tab.call(write, {}) })
      .execute(undefined);
  await put();
  await put();
  const read = () => client.fetchQuery({ queryKey: ['x'], queryFn: () => tab.call(get, {}) }).catch(() => null);
  await read();
  works = true;
  await read();
  await read();
  expect(tab.sent).toEqual(['PUT /v1/x', 'PUT /v1/x', 'GET /v1/x', 'GET /v1/x']);
  expect(client.getQueryCache().getAll()).toHaveLength(1);
});

test('an answer counts for 5 minutes and not a moment longer [spec 9.request-cache.lifetime]', async () => {
  const { asked, read } = createCache();
  expect(REQUEST_CACHE_LIFETIME_MS).toBe(5 * MINUTE_MS);
  await read(['friends']);
  vi.advanceTimersByTime(5 * MINUTE_MS - 1);
  await read(['friends']);
  expect(asked).toHaveLength(1);
  vi.advanceTimersByTime(1);
  await read(['friends']);
  expect(asked).toHaveLength(2);
});

test('of 101 answers the oldest is evicted, and only that one [spec 9.request-cache.size]', async () => {
  const { read, held, asked } = createCache();
  expect(REQUEST_CACHE_MAX_ENTRIES).toBe(100);
  for (let index = 0; index < 100; index += 1) {
    await read(['page', String(index)]);
    vi.advanceTimersByTime(1);
  }
  await read(['page', '0']);
  expect(asked).toHaveLength(100);
  await read(['page', '100']);
  expect(held()).toHaveLength(100);
  expect(held()).not.toContain('page/0');
  expect(held()).toContain('page/1');
});

test('data that a screen shows is not evicted', async () => {
  const { client, read, held } = createCache(2);
  const stop = new QueryObserver(client, { queryKey: ['shown'], queryFn: () => 'shown' }).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(1);
  for (const name of ['a', 'b', 'c']) {
    await read([name]);
    vi.advanceTimersByTime(1);
  }
  expect(held().sort()).toEqual(['c', 'shown']);
  stop();
});

describe('an event about data that is being read for the first time', () => {
  /** A screen that shows the server's word at the time of its request; the test decides when each answer arrives. */
  function openScreen(client: QueryClient, word: string | Error = 'before') {
    const server = { word };
    const arriving: (() => void)[] = [];
    const observer = new QueryObserver(client, {
      queryKey: ['activities', 'list'],
      queryFn: () =>
        new Promise<string>((resolve, reject) => {
          const { word } = server;
          arriving.push(() => (word instanceof Error ? reject(word) : resolve(word)));
        }),
    });
    const close = observer.subscribe(() => {});
    const arrive = async () => {
      arriving.shift()?.();
      await vi.advanceTimersByTimeAsync(1);
    };
    const tell = () => void client.invalidateQueries({ queryKey: ['activities'] });
    return { server, arriving, arrive, tell, close, shown: () => observer.getCurrentResult().data };
  }

  async function expectOneMoreRead({ server, arriving, arrive, tell, shown }: ReturnType<typeof openScreen>) {
    server.word = 'after';
    tell();
    tell();
    expect(arriving).toHaveLength(1);
    await arrive();
    expect(shown()).toBe('before');
    await arrive();
    expect(shown()).toBe('after');
    expect(arriving).toHaveLength(0);
  }

  test('causes one more read', async () => {
    const screen = openScreen(createCache().client);
    await expectOneMoreRead(screen);
    screen.close();
  });

  test('causes one more read also after a failed one', async () => {
    const screen = openScreen(createCache().client, new Error('no network'));
    await screen.arrive();
    expect(screen.shown()).toBe(undefined);
    screen.server.word = 'before';
    screen.tell();
    await expectOneMoreRead(screen);
    screen.close();
  });
});

test.each(['POST', 'PATCH', 'DELETE'] as const)(
  'a %s on a sport-centers path clears the sport centers and nothing else [spec 9.request-cache.clear]',
  async (method) => {
    const { read, held, write } = createCache();
    await read(['sport-centers', 'search']);
    await read(['sport-centers', 'one', 'x']);
    await read(['friends']);
    write({ method: 'GET', path: '/v1/sport-centers' });
    write({ method, path: '/v1/friends/request' });
    expect(held()).toHaveLength(3);
    write({ method, path: '/v1/sport-centers/:id/photos' });
    expect(held()).toEqual(['friends']);
  },
);

test.each(['POST', 'PATCH', 'DELETE'] as const)(
  'a %s of bio info asks for the settings again: a young age switches presence off',
  async (method) => {
    const { client, held, read, write } = createCache();
    await read(['friends']);
    const server = { presence: true };
    const settings = new QueryObserver(client, {
      queryKey: ['users', 'ada', 'settings'],
      queryFn: async () => ({ ...server }),
    });
    const stop = settings.subscribe(() => {});
    await vi.advanceTimersByTimeAsync(1);
    expect(settings.getCurrentResult().data).toEqual({ presence: true });
    server.presence = false;
    write({ method, path: '/v1/users/bio-info' });
    await vi.advanceTimersByTimeAsync(1);
    expect(settings.getCurrentResult().data).toEqual({ presence: false });
    expect(held()).toContain('friends');
    stop();
  },
);

test('a write that was refused is not announced to the cache, one that succeeded is [spec 9.request-cache.clear]', async () => {
  const shape = { path: '/v1/sport-centers', summary: '', access: 'anyone', data: z.object({}) } as const;
  let works = false;
  const answer = () => (works ? reply({}) : refusal(409, 'conflict'));
  const tab = createTab({ 'PUT /v1/sport-centers': answer });
  const put = endpoint({ method: 'PUT', ...shape });
  await tab.call(put, {}).catch(() => {});
  expect(tab.written).toEqual([]);
  works = true;
  await tab.call(put, {});
  expect(tab.written).toEqual(['PUT /v1/sport-centers']);
});

test('a sign-out empties the cache', async () => {
  const { read, held, signOut } = createCache();
  await read(['friends']);
  await read(['sport-centers', 'search']);
  signOut();
  expect(held()).toEqual([]);
});

const MAX = 4;
const NAMES = ['sport-centers/a', 'sport-centers/b', 'c', 'd', 'e', 'f', 'g'];
const step = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record({ do: fc.constant('read' as const), name: fc.constantFrom(...NAMES), fails: fc.nat(5) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, MINUTE_MS, 5 * MINUTE_MS) }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'write' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'sign-out' as const }) },
);

/** The same rules in their simplest form: a list of [name, time], the oldest first. */
function createModel() {
  let entries: { name: string; at: number }[] = [];
  const asked: string[] = [];
  return {
    asked,
    held: (now: number) => entries.filter(({ at }) => now - at < 5 * MINUTE_MS).map(({ name }) => name),
    read(name: string, fails: boolean, now: number) {
      entries = entries.filter(({ at }) => now - at < 5 * MINUTE_MS);
      if (entries.some((entry) => entry.name === name)) return;
      asked.push(name);
      if (!fails) entries = [...entries, { name, at: now }].slice(-MAX);
    },
    write: () => {
      entries = entries.filter(({ name }) => !name.startsWith('sport-centers'));
    },
    signOut: () => {
      entries = [];
    },
  };
}

test('in any order of events the cache requests and holds the same as a plain list of the rules [spec 9.request-cache.lifetime, 9.request-cache.size, 9.request-cache.clear]', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
      const cache = createCache(MAX);
      const model = createModel();
      for (const next of steps) {
        // No two answers arrive in the same millisecond, so "the oldest" is unique.
        await vi.advanceTimersByTimeAsync(next.do === 'wait' ? next.ms : 1);
        if (next.do === 'read') {
          await cache.read(next.name.split('/'), next.fails === 0);
          model.read(next.name, next.fails === 0, Date.now());
        }
        if (next.do === 'write') {
          cache.write({ method: 'POST', path: '/v1/sport-centers' });
          model.write();
        }
        if (next.do === 'sign-out') {
          cache.signOut();
          model.signOut();
        }
        expect(cache.asked).toEqual(model.asked);
        expect(cache.held().sort()).toEqual(model.held(Date.now()).sort());
      }
      cache.client.clear();
    }),
    { numRuns: 300 },
  );
});
