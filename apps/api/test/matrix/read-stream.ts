import { EVENTS_PATH, LiveEvent } from '@sendlap/contract/events.ts';
import type { TestApp } from '../app/app.ts';
import type { Someone } from './callers.ts';

const GIVE_UP_MS = 10_000;

interface Streamed {
  status: number;
  /** All that came until the newest event that is kept for the caller. */
  body: string;
}

const addresses = new WeakMap<TestApp, Promise<string>>();

/** A stream needs a connection: a request that is injected has none. */
export function listen(api: TestApp): Promise<string> {
  const address = addresses.get(api) ?? api.app.listen({ port: 0, host: '127.0.0.1' });
  addresses.set(api, address);
  return address;
}

/** Opens the live stream and reads what it sends at its begin. Throws if the newest event does not come. */
export async function readStream(api: TestApp, { user }: Someone, headers: Record<string, string>): Promise<Streamed> {
  const counter = api.database.selectFrom('user_event_counters').select('last_seq').where('user_id', '=', user.id);
  const last_seq = (await counter.executeTakeFirst())?.last_seq ?? 0;
  const url = new URL(EVENTS_PATH, await listen(api));
  const give_up = AbortSignal.timeout(GIVE_UP_MS);
  const reply = await fetch(url, { headers, signal: give_up });
  const pieces = (reply.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream());
  let body = '';
  for await (const piece of pieces) {
    body += piece;
    if (reply.status === 200 && isAtEnd(body, last_seq)) break;
  }
  return { status: reply.status, body };
}

/** Whether the newest event was sent whole, or that all events must be read again. */
function isAtEnd(body: string, last_seq: number): boolean {
  const frames = body.split('\n\n').slice(0, -1);
  return frames.some(
    (frame) => last_seq === 0 || frame.includes('event: resync') || `${frame}\n`.includes(`id: ${last_seq}\n`),
  );
}

/** Whether each event of a stream is one of the contract. */
export function areLiveEvents(body: string): boolean {
  const lines = body.split('\n').filter((line) => line.startsWith('data: '));
  return lines.every((line) => LiveEvent.safeParse(JSON.parse(line.slice('data: '.length))).success);
}
