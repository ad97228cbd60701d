import type { LiveEvent } from '@sendlap/contract/events.ts';
import { describe, expect, test, vi } from 'vitest';
import { runTurns } from '#test/unit/run-turns.ts';
import { readEvents } from './event-reader.ts';
import { createLive, type LiveMessage, type StreamEvent } from './live.ts';
import { createSseParser, type SseMessage } from './sse-parser.ts';

const BOARD: LiveEvent = { type: 'leaderboard_changed', key: '2026-W47', sport_center_id: 'c' };

function parseIn(size: number, text: string): SseMessage[] {
  const messages: SseMessage[] = [];
  const feed = createSseParser((message) => messages.push(message));
  for (let at = 0; at < text.length; at += size) feed(text.slice(at, at + size));
  return messages;
}

describe('the parser', () => {
  const text =
    ': beat\r\n\r\nid: 6\n: beat\n\n: beat\n\nid: 7\r\nevent: x\r\ndata: {"a":1}\r\n\r\ndata:b\ndata: c\n\nid\rdata\r\rdata: unfinished';
  const expected = [
    { id: '6', data: null },
    { id: '7', data: '{"a":1}' },
    { id: '7', data: 'b\nc' },
    { id: '', data: '' },
  ];

  test.each([1, 2, 3, 5, 1000])('reads the same however the stream is cut: %i characters at a time', (size) => {
    expect(parseIn(size, text)).toEqual(expected);
  });
});

/** A server that plays one scripted reply per connection, and the requests that the reader made. */
async function readScript(replies: (() => Response | Promise<Response>)[], network = new EventTarget()) {
  const refused: (string | null)[] = [];
  const stop = new AbortController();
  const asked: (string | null)[] = [];
  const events: [LiveEvent, string | null][] = [];
  const opened: boolean[] = [];
  const ends: number[] = [];
  const waits: number[] = [];
  let last_id: string | null = null;
  await readEvents(
    {
      address: '/v1/events',
      async token(of_before) {
        refused.push(of_before);
        return 'token';
      },
      onForbidden: async () => {},
      random: () => 1,
      lastId: () => last_id,
      onOpen: (resumed) => opened.push(resumed),
      onEnd: () => ends.push(asked.length),
      onNetwork(listener) {
        network.addEventListener('online', listener);
        return () => network.removeEventListener('online', listener);
      },
      onPosition(id) {
        last_id = id;
      },
      onEvent(event, id) {
        events.push([event, id]);
        last_id = id ?? last_id;
      },
      async wait(delay_ms) {
        waits.push(delay_ms);
        if (asked.length === replies.length) stop.abort();
      },
      async fetch(_address, init) {
        const headers = new Headers(init?.headers);
        expect(headers.get('authorization')).toBe('Bearer token');
        asked.push(headers.get('last-event-id'));
        const reply = replies[asked.length - 1];
        if (!reply) throw new TypeError('no network');
        return reply();
      },
    },
    stop.signal,
  );
  return { asked, ends, events, opened, refused, waits };
}

const STREAM = { headers: { 'content-type': 'text/event-stream' } };
const streamOf = (...pieces: string[]) => new Response(pieces.join(''), STREAM);
const failing = () => {
  throw new TypeError('no network');
};
/** A reply that sends this text and then stays open. */
const hanging = (text = ': beat\n\n') =>
  new Response(
    new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(text)) }),
    STREAM,
  );
const event = (id: number) => `id: ${id}\ndata: ${JSON.stringify(BOARD)}\n\n`;

describe('the reader', () => {
  test('retries after every failure with a longer wait, at most half a minute', async () => {
    const { waits, opened } = await readScript(Array.from({ length: 7 }, () => failing));
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    expect(opened).toEqual([]);
  });

  test('an answer that is no stream counts as a failure', async () => {
    const { events, waits } = await readScript([() => new Response('', { status: 401 }), failing]);
    expect(events).toEqual([]);
    expect(waits).toEqual([1000, 2000]);
  });

  test('a refused token is passed to the source of the next one', async () => {
    const { refused } = await readScript([failing, () => new Response('', { status: 401 }), failing]);
    expect(refused).toEqual([null, null, 'token']);
  });

  test('resumes after the last event it has seen', async () => {
    const { asked, events, opened } = await readScript([
      () => streamOf(event(4), event(5)),
      failing,
      () => streamOf(event(6)),
    ]);
    expect(asked).toEqual([null, '5', '5']);
    expect(opened).toEqual([false, true]);
    expect(events.map(([, id]) => id)).toEqual(['4', '5', '6']);
  });

  test('resumes from the cursor that the server named, also before the first event', async () => {
    const { asked, events } = await readScript([() => streamOf('id: 7\n: beat\n\n'), failing]);
    expect(asked).toEqual([null, '7']);
    expect(events).toEqual([]);
  });

  test('ignores unknown events', async () => {
    const { events } = await readScript([() => streamOf('data: nonsense\n\n', 'data: {"type":"new"}\n\n', event(1))]);
    expect(events).toEqual([[BOARD, '1']]);
  });

  test('closes a stream that has fallen silent', async () => {
    vi.useFakeTimers();
    try {
      const running = readScript([hanging, failing]);
      await vi.advanceTimersByTimeAsync(60_000);
      expect((await running).asked).toEqual([null, null]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('with a new network the old stream is closed at once, and the next resumes at its cursor', async () => {
    const network = new EventTarget();
    let opened = () => {};
    const is_open = new Promise<void>((resolve) => {
      opened = resolve;
    });
    const stream = () => {
      opened();
      return hanging(event(4));
    };
    const running = readScript([stream, failing], network);
    await is_open;
    await runTurns();
    network.dispatchEvent(new Event('online'));
    const { asked, ends, waits } = await running;
    expect(asked).toEqual([null, '4']);
    expect(ends).toEqual([1, 2]);
    expect(waits).toEqual([1000, 2000]);
  });
});

/** Tabs of one browser: a lock that one tab holds at a time, a channel to all other tabs. */
function browser() {
  const ears: ((message: LiveMessage) => void)[] = [];
  const reading: {
    tab: number;
    emit: (id: string, event?: LiveEvent) => void;
    last: string | null;
    end: () => void;
  }[] = [];
  let turn = Promise.resolve();
  const open = (tab: number) => {
    const news: StreamEvent[] = [];
    const live = createLive({
      channel: {
        post: (message) => {
          for (const [index, ear] of ears.entries()) if (index !== tab) ear(message);
        },
        listen: (ear) => {
          ears[tab] = ear;
        },
      },
      runAsLeader(work, signal) {
        turn = turn.then(() => (signal.aborted ? undefined : work(signal)));
        return turn;
      },
      read: ({ lastId, onEvent }, signal) =>
        new Promise((resolve) => {
          const end = () => resolve();
          signal.addEventListener('abort', end);
          reading.push({ tab, end, last: lastId(), emit: (id, event = BOARD) => onEvent(event, id) });
        }),
    });
    live.subscribe((item) => news.push(item));
    return { live, news };
  };
  return { open, reading };
}

describe('several tabs', () => {
  test('one reads, all get the events, and the next one resumes where the first stopped', async () => {
    const { open, reading } = browser();
    const [first, second] = [open(0), open(1)];
    first.live.follow('ana');
    second.live.follow('ana');
    await vi.waitFor(() => expect(reading).toHaveLength(1));
    reading[0]?.emit('8');
    expect([first.news, second.news]).toEqual([[BOARD], [BOARD]]);
    first.live.follow(null);
    await vi.waitFor(() => expect(reading).toHaveLength(2));
    expect(reading[1]).toMatchObject({ tab: 1, last: '8' });
  });

  test('a listener that throws does not affect the others, in this tab or another, and is reported', async () => {
    const { open, reading } = browser();
    const first = open(0);
    first.live.subscribe(() => {
      throw new Error('one feature fails');
    });
    const after = vi.fn();
    first.live.subscribe(after);
    const second = open(1);
    first.live.follow('ana');
    second.live.follow('ana');
    await vi.waitFor(() => expect(reading).toHaveLength(1));
    vi.useFakeTimers();
    reading[0]?.emit('8');
    expect(after).toHaveBeenCalledOnce();
    expect(second.news).toEqual([BOARD]);
    expect(() => vi.runAllTimers()).toThrow('one feature fails');
    vi.useRealTimers();
  });

  test('a tab that learns its user late, and may have read data by then, is told to read again if it missed events', async () => {
    const { open, reading } = browser();
    const [first, second, third] = [open(0), open(1), open(2)];
    first.live.follow('ana');
    await vi.waitFor(() => expect(reading).toHaveLength(1));
    reading[0]?.emit('8');
    second.live.follow('ana');
    third.live.follow('ben');
    reading[0]?.emit('9');
    expect([second.news, third.news]).toEqual([[{ type: 'opened', resumed: false }, BOARD], []]);
    second.live.follow(null);
    second.live.follow('ana');
    expect(second.news).toHaveLength(2);
  });

  test('a leader that wakes up late after it was preempted does not repeat events', async () => {
    const { open, reading } = browser();
    const [first, second] = [open(0), open(1)];
    first.live.follow('ana');
    second.live.follow('ana');
    await vi.waitFor(() => expect(reading).toHaveLength(1));
    reading[0]?.emit('8');
    // The tab is preempted while it sleeps.
    reading[0]?.end();
    await vi.waitFor(() => expect(reading).toHaveLength(2));
    for (const id of ['9', '10']) reading[1]?.emit(id);
    expect(second.news).toHaveLength(3);
    reading[0]?.emit('9');
    expect([first.news.length, second.news.length]).toEqual([3, 3]);
    second.live.follow(null);
  });

  test('events of another user are not delivered, and a new user starts from the beginning', async () => {
    const { open, reading } = browser();
    const [ana, ben] = [open(0), open(1)];
    ana.live.follow('ana');
    ben.live.follow('ben');
    await vi.waitFor(() => expect(reading).toHaveLength(1));
    reading[0]?.emit('8');
    expect(ben.news).toEqual([]);
    ana.live.follow(null);
    await vi.waitFor(() => expect(reading).toHaveLength(2));
    expect(reading[1]).toMatchObject({ tab: 1, last: null });
  });

  test('where events are missing all listeners reload, and the stream resumes at the server’s cursor', async () => {
    const { open, reading } = browser();
    const [first, second] = [open(0), open(1)];
    first.live.follow('ana');
    second.live.follow('ana');
    await vi.waitFor(() => expect(reading).toHaveLength(1));
    reading[0]?.emit('90');
    reading[0]?.emit('17', { type: 'resync' });
    const expected = [BOARD, { type: 'opened', resumed: false }];
    expect([first.news, second.news]).toEqual([expected, expected]);
    first.live.follow(null);
    await vi.waitFor(() => expect(reading).toHaveLength(2));
    expect(reading[1]).toMatchObject({ tab: 1, last: '17' });
  });
});
