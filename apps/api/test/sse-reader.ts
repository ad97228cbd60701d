import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { EVENTS_PATH, LiveEvent } from '@sendlap/contract/events.ts';

export interface SseReader {
  status: number;
  /** What came, with the number of what is kept. */
  heard: { id: number | null; event: LiveEvent }[];
  /** Of what is kept, where the reader is; null: that was never said. */
  last_id(): number | null;
  /** Comments: the heart beats. */
  beats(): number;
  ended: Promise<unknown>;
  /** Takes nothing from the connection until `resume`. */
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
  // What the server says first; a stream that was refused says something, too.
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
