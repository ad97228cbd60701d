import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '#api/database/database.ts';
import { createEvents, type Delivery } from '#api/events/events.ts';
import { answer } from './serve.ts';

/** A node's live events on the database MEASURED_DATABASE_URL, without requests, for a bench that forks it. */
export type EventsOrder =
  /** Opens a stream for each of these users. */
  | { what: 'listen'; user_ids: string[] }
  /** Sends so many events a second to these users in turn. */
  | { what: 'tell'; user_ids: string[]; per_s: number; duration_s: number }
  | { what: 'heard' };

export interface Told {
  told: number;
}

/** What the node's streams received since the last question. */
export interface Heard {
  /** From the moment each event was due to its arrival. */
  delays_ms: number[];
}

const TURN_MS = 2;
const { MEASURED_DATABASE_URL = '' } = process.env;
const events = createEvents(openDatabase(MEASURED_DATABASE_URL), MEASURED_DATABASE_URL);
process.on('disconnect', () => void events.close().then(() => process.exit(0)));

const read_at = new Date().toISOString();
const message_ids = [randomUUID(), randomUUID()];
let delays_ms: number[] = [];

/** One clock for all processes of the machine, in microseconds. */
const nowUs = () => Math.round((performance.timeOrigin + performance.now()) * 1000);

/** The event's number is the time at which it is due: a stalled node then counts as late, as its users would see it. */
function makeEvent(user_id: string, due_us: number): Delivery {
  const event = {
    type: 'messages_read' as const,
    chat_id: randomUUID(),
    reader_id: user_id,
    message_ids,
    read_at,
    unread_count: 3,
  };
  return { user_id, seq: Math.round(due_us), event };
}

async function tell(user_ids: string[], per_s: number, duration_s: number): Promise<Told> {
  const start_us = nowUs();
  const step_us = 1e6 / per_s;
  const all = per_s * duration_s;
  let told = 0;
  while (told < all) {
    const due = Math.min(all, (nowUs() - start_us) / step_us);
    for (; told < due; told++)
      events.deliver([makeEvent(user_ids[told % user_ids.length] ?? '', start_us + told * step_us)]);
    await pause(TURN_MS);
  }
  return { told };
}

async function carryOut(order: EventsOrder): Promise<object> {
  switch (order.what) {
    case 'listen':
      for (const user_id of order.user_ids)
        events.subscribe(user_id, {
          onNewEvents() {},
          onEvent: (due_us) => void delays_ms.push((nowUs() - due_us) / 1000),
          onEphemeral() {},
        });
      return {};
    case 'tell':
      return tell(order.user_ids, order.per_s, order.duration_s);
    case 'heard': {
      const heard: Heard = { delays_ms };
      delays_ms = [];
      return heard;
    }
  }
}

answer<object, EventsOrder>({ port: 0, path: '/', headers: {} }, carryOut);
