import { randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import { appendEvents, type UserEvent } from '#api/events/event-store.ts';
import type { Events, EventWriter } from '#api/events/events.ts';
import type { SseReader } from './sse-reader.ts';

/** Returns an event that tests recognize by a text. */
export const eventFor = (user_id: string, name: string): UserEvent => ({
  user_id,
  event: { type: 'appeal_asked', sport_center_name: name, sport_type: 'climbing' },
});

/** Stores the events and announces them, in one transaction. */
export const storeEvents = (events: EventWriter, { user_id }: { user_id: string }, names: string[]): Promise<void> =>
  events.transact(async (trx) => {
    const kept = names.map((name) => eventFor(user_id, name));
    await appendEvents(trx, kept);
    events.publish(trx, kept, []);
  });

/** Waits until the stream has brought exactly these: number (null if not stored) and text, or type. */
export const expectEvents = (stream: SseReader, expected: [number | null, string][]): Promise<void> =>
  vi.waitFor(() => expect(namesOf(stream)).toEqual(expected));

export const namesOf = ({ heard }: SseReader): [number | null, string][] =>
  heard.map(({ id, event }) => [id, event.type === 'appeal_asked' ? event.sport_center_name : event.type]);

/** Waits until an ephemeral event of any node reaches all of them. */
export async function hearEachOther(nodes: Pick<Events, 'subscribe' | 'sendEphemeral'>[]): Promise<void> {
  const user_id = randomUUID();
  for (const speaker of nodes) {
    const heard = vi.fn();
    const stops = nodes.map((node) =>
      node.subscribe(user_id, { onNewEvents() {}, onEvent() {}, onEphemeral: () => heard(node) }),
    );
    await vi.waitFor(
      () => {
        speaker.sendEphemeral([user_id], { type: 'typing', chat_id: randomUUID(), user_id });
        for (const node of nodes) expect(heard).toHaveBeenCalledWith(node);
      },
      { interval: 100 },
    );
    for (const stop of stops) stop();
  }
}
