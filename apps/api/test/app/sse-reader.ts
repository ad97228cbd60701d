import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { EVENTS_PATH, LiveEvent } from '@sendlap/contract/events.ts';

export interface SseReader {
  status: number;
  /** The events that arrived; stored ones with their number. */
  heard: { id: number | null; event: LiveEvent }[];
  /** The reader's position among stored events; null if the server never sent one. */
  last_id(): number | null;
  /** Returns the number of comments, which are the heartbeats. */
  beats(): number;
  ended: Promise<unknown>;
  /** Stops reading from the connection until `resume`. */
  pause(): void;
  resume(): void;
  close(): void;
}

interface Options {
  port: number;
  token: string;
  last_id?: number | string | undefined;
}

/** Reads a live stream as a device does. */
export async function openSseReader({ port, token, last_id }: Options): Promise<SseReader> {
  const request = get({
    port,
    path: EVENTS_PATH,
    agent: false,
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${token}`,
      ...(last_id === undefined ? {} : { 'last-event-id': String(last_id) }),
    },
  });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const heard: SseReader['heard'] = [];
  let beats = 0;
  let seen_id: number | null = null;
  let rest = '';
  const ended = new Promise((resolve) => response.once('close', resolve));
  response.on('error', () => {});
  request.on('error', () => {});
  response.setEncoding('utf8').on('data', (piece: string) => {
    const frames = (rest + piece).split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      const fields = new Map(frame.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]));
      const data = fields.get('data');
      if (fields.has('id')) seen_id = Number(fields.get('id'));
      if (data === undefined) beats += 1;
      else heard.push({ id: Number(fields.get('id') ?? Number.NaN) || null, event: LiveEvent.parse(JSON.parse(data)) });
    }
  });
  // Wait for the server's first bytes; it also sends some if it refuses the stream.
  await Promise.race([once(response, 'data'), ended]);
  return {
    status: response.statusCode ?? 0,
    heard,
    last_id: () => seen_id,
    beats: () => beats,
    ended,
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close: () => request.destroy(),
  };
}
