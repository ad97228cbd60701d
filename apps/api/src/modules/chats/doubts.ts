import { LRUCache } from 'lru-cache';
import type { Database } from '#api/platform/database.ts';
import type { Delivery, Events } from '#api/platform/events.ts';
import type { presentMessage } from './present.ts';
import { findDeliveries } from './store-messages.ts';

const MAX_DOUBTS = 10_000;

/**
 * Messages of which nobody knows whether they were stored, for the database's answer did not come: then nobody has heard of
 * them either.
 */
export interface Doubts {
  add(messages: { id: string }[], since: Date): void;
  /** Tells of those among messages found stored, and doubts none of them any more. */
  tell(found: ReturnType<typeof presentMessage>[]): Promise<void>;
}

/** Of more than 10,000 the oldest are forgotten. */
export function createDoubts(database: Database, events: Pick<Events, 'deliver'>): Doubts {
  const since_by_id = new LRUCache<string, Date>({ max: MAX_DOUBTS });
  return {
    add(messages, since) {
      for (const { id } of messages) if (!since_by_id.has(id)) since_by_id.set(id, since);
    },
    async tell(found) {
      if (since_by_id.size === 0) return;
      // What was stored before the doubt was told then.
      const doubted = found.filter(({ id, created_at }) => {
        const since_ms = since_by_id.get(id)?.getTime();
        return since_ms !== undefined && Date.parse(created_at) >= since_ms;
      });
      const by_id = new Map(doubted.map((message) => [message.id, message]));
      const since = Math.min(...[...by_id.keys()].map((id) => since_by_id.get(id)?.getTime() ?? 0));
      const kept = by_id.size === 0 ? [] : await findDeliveries(database, [...by_id.keys()], new Date(since));
      for (const { id } of found) since_by_id.delete(id);
      const deliveries = kept.flatMap(({ message_id, user_id, seq }): Delivery[] => {
        const message = by_id.get(message_id);
        return message ? [{ user_id, seq, event: { type: 'message_created', message } }] : [];
      });
      if (deliveries.length > 0) events.deliver(deliveries);
    },
  };
}
