import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterDelay } from '../../apps/api/test/delays.ts';
import type { Follower } from './people.ts';

const RECONNECT_MS = 100;

export interface Followers {
  /** All streams are open. */
  opened: Promise<unknown>;
  /**
   * `ended`: streams that the server closed; `cut`: streams that broke; `missed`: gaps in the event ids, and `resync`s.
   */
  figures(): { streams: number; ended: number; cut: number; longest_gap_ms: number; missed: number };
  /** The ids of all messages that came by an event, or that a `resync` made the device read. */
  heard(): Set<string>;
  close(): Promise<void>;
}

interface Device extends Follower {
  last_id: number | undefined;
  lost_at: number | undefined;
}

/**
 * Follows the live events of these people through the proxy as the app does: resumes by Last-Event-ID, reads the chats after a
 * `resync`.
 */
export function openFollowers(url: string, people: Follower[]): Followers {
  const figures = { streams: 0, ended: 0, cut: 0, longest_gap_ms: 0, missed: 0 };
  const heard = new Set<string>();
  const closing = new AbortController();
  const openings = people.map(() => Promise.withResolvers<void>());
  const takeBlock = (device: Device, block: string) => {
    const id = /^id: ?(\d+)$/m.exec(block)?.[1];
    const data = /^data: ?(.*)$/m.exec(block)?.[1];
    if (data?.includes('"resync"')) {
      figures.missed += 1;
      for (const chat_id of device.chat_ids) void readMessages(url, device, chat_id, heard);
    } else if (data !== undefined && id !== undefined) {
      if (device.last_id !== undefined && Number(id) !== device.last_id + 1) figures.missed += 1;
      const event = JSON.parse(data) as { type: string; message?: { id: string } };
      if (event.message) heard.add(event.message.id);
    }
    if (id !== undefined) device.last_id = Number(id);
  };
  const follow = async (person: Follower, onOpen: () => void) => {
    const device: Device = { ...person, last_id: undefined, lost_at: undefined };
    while (!closing.signal.aborted) {
      const opened = () => {
        figures.streams += 1;
        if (device.lost_at !== undefined)
          figures.longest_gap_ms = Math.max(figures.longest_gap_ms, performance.now() - device.lost_at);
        device.lost_at = undefined;
        onOpen();
      };
      const end = await readStream(url, device, closing.signal, opened, (block) => takeBlock(device, block));
      if (closing.signal.aborted) return;
      device.lost_at ??= performance.now();
      if (end !== 'refused') figures[end] += 1;
      await afterDelay(RECONNECT_MS);
    }
  };
  const following = Promise.all(people.map((person, nth) => follow(person, () => openings[nth]?.resolve())));
  return {
    opened: Promise.all(openings.map(({ promise }) => promise)),
    figures: () => figures,
    heard: () => heard,
    async close() {
      closing.abort();
      await following;
    },
  };
}

/** Adds the ids of the newest messages. A server that is away is asked again. */
async function readMessages(url: string, { token }: Device, chat_id: string, heard: Set<string>): Promise<void> {
  const target = targetOf(url, `/v1/chats/${chat_id}/messages?limit=100`);
  for (;;) {
    const { promise, resolve } = Promise.withResolvers<string | null>();
    const headers = { host: new URL(url).host, authorization: `Bearer ${token}` };
    get(target, { headers, agent: false }, async (reply) => resolve(await text(reply).catch(() => null))).on(
      'error',
      () => resolve(null),
    );
    const reply = JSON.parse((await promise) ?? '{}') as { data?: { id: string }[] };
    for (const { id } of reply.data ?? []) heard.add(id);
    if (reply.data) return;
    await afterDelay(RECONNECT_MS);
  }
}

/** The proxies listen at this address only. */
function targetOf(url: string, path: string): URL {
  return new URL(path, url.replace('//localhost', '//127.0.0.1'));
}

/** Reads one stream. Resolves with how it came to its end: `ended` by the server, `cut`, or never opened. */
function readStream(
  url: string,
  { token, last_id }: Device,
  signal: AbortSignal,
  onOpen: () => void,
  onBlock: (block: string) => void,
): Promise<'ended' | 'cut' | 'refused'> {
  const resume: Record<string, string> = last_id === undefined ? {} : { 'last-event-id': String(last_id) };
  const { host } = new URL(url);
  const headers = { host, authorization: `Bearer ${token}`, accept: 'text/event-stream', ...resume };
  const target = targetOf(url, '/v1/events');
  return new Promise((resolve) => {
    const request = get(target, { headers, signal, agent: false });
    request.on('error', () => resolve('refused'));
    request.once('response', (reply) => {
      reply.on('error', () => {});
      if (reply.statusCode !== 200 || !reply.headers['content-type']?.startsWith('text/event-stream')) {
        request.destroy();
        return resolve('refused');
      }
      onOpen();
      let rest = '';
      reply.setEncoding('utf8').on('data', (piece: string) => {
        const blocks = (rest + piece).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) onBlock(block);
      });
      reply.once('close', () => resolve(reply.complete ? 'ended' : 'cut'));
    });
  });
}
