import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { type HttpChat, openHttpSlots, type Slots } from './http-slots.ts';
import { createTally } from './message-tally.ts';
import { quantile } from './print.ts';
import { openXmppSlots, type XmppChat } from './xmpp-slots.ts';

/** First an order that opens, then any number of loads, one at a time. */
export type CannonOrder =
  | { what: 'http'; chat: HttpChat }
  | { what: 'xmpp'; chat: XmppChat }
  /** Every slot sends its next message as soon as the previous one is done. */
  | { what: 'saturate'; duration_s: number }
  /** Sends so many a second, however long the others take. */
  | { what: 'pace'; duration_s: number; per_s: number };

export interface ChatFigure {
  sent: number;
  /** Answered with 2xx or, if the protocol has no answers, delivered. */
  acknowledged: number;
  acknowledged_per_s: number;
  delivered: number;
  /** Repeated arrivals of the same message. */
  delivered_again: number;
  /** From sending to arriving. */
  p50_ms: number;
  p99_ms: number;
}

const QUIET_MS = 60_000;

/** Runs in a process of its own, so that the load does not share an event loop with the server or the bench. */
const tally = createTally();
let slots: Slots | undefined;

async function carryOut(order: CannonOrder): Promise<object> {
  if (order.what === 'http' || order.what === 'xmpp') {
    slots?.close();
    slots = order.what === 'http' ? await openHttpSlots(tally, order.chat) : await openXmppSlots(tally, order.chat);
    return {};
  }
  if (!slots) throw new Error('nothing is open');
  await slots.reconnect();
  const first = tally.begun();
  const load = order.what === 'saturate' ? await saturate(slots, order) : await keepPace(slots, order);
  const sent = tally.begun() - first;
  const until = performance.now() + QUIET_MS;
  while (tally.delivered(first).count < load.acknowledged && performance.now() < until) await pause(20);
  // The duplicate of a message may arrive later than the first copy.
  await pause(200);
  const { count: delivered, again: delivered_again } = tally.delivered(first);
  const times = tally.times(first);
  return {
    sent,
    acknowledged: load.acknowledged,
    acknowledged_per_s: load.in_time / order.duration_s,
    delivered,
    delivered_again,
    p50_ms: quantile(times, 0.5),
    p99_ms: quantile(times, 0.99),
  } satisfies ChatFigure;
}

/** `in_time`: messages acknowledged before the end. */
interface Load {
  acknowledged: number;
  in_time: number;
}

function saturate({ count, send }: Slots, { duration_s }: { duration_s: number }): Promise<Load> {
  const until = performance.now() + duration_s * 1000;
  const load = { acknowledged: 0, in_time: 0 };
  let busy = count;
  return new Promise((resolve) => {
    const fire = (slot: number) =>
      send(slot, tally.begin(), (ok) => {
        const in_time = performance.now() < until;
        if (ok) load.acknowledged += 1;
        if (ok && in_time) load.in_time += 1;
        if (in_time) fire(slot);
        else {
          busy -= 1;
          if (busy === 0) resolve(load);
        }
      });
    for (let slot = 0; slot < count; slot += 1) fire(slot);
  });
}

async function keepPace({ count, send }: Slots, { duration_s, per_s }: { duration_s: number; per_s: number }) {
  const load = { acknowledged: 0, in_time: 0 };
  const free = Array.from({ length: count }, (_, slot) => slot);
  // A message without a free slot waits, and its waiting time counts.
  const waiting: number[] = [];
  const fire = (slot: number, nth: number) =>
    send(slot, nth, (ok) => {
      if (ok) load.acknowledged += 1;
      const next = waiting.shift();
      if (next === undefined) free.push(slot);
      else fire(slot, next);
    });
  const began_at = performance.now();
  for (let made = 0; made < duration_s * per_s; ) {
    while (made < Math.min(duration_s, (performance.now() - began_at) / 1000) * per_s) {
      const nth = tally.begin();
      made += 1;
      const slot = free.shift();
      if (slot === undefined) waiting.push(nth);
      else fire(slot, nth);
    }
    await nextTurn();
  }
  load.in_time = load.acknowledged;
  const until = performance.now() + QUIET_MS;
  while (free.length < count && performance.now() < until) await pause(5);
  return load;
}

process.on('message', async (order: CannonOrder) => process.send?.(await carryOut(order)));
process.on('disconnect', () => process.exit(0));
