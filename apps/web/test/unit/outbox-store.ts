import { openOutboxDatabase } from '#web/shared/outbox/store/database.ts';
import { createOutboxStore, type OutboxStoreDeps } from '#web/shared/outbox/store/store.ts';

/** A swim that begins at 10:00, as its ops carry it. */
export const SWIM_FACTS = {
  sport_center_id: crypto.randomUUID(),
  sport_center_name: 'Piscina Sant Jordi',
  sport_type: 'swimming',
  started_at: '2026-11-21T10:00:00.000Z',
  intensity: null,
} as const;

/** Opens the outbox of a new device. Unless `ports` says otherwise, its clock is right and its disk has room. */
export async function openStore(ports: Pick<OutboxStoreDeps, 'now'> & Partial<OutboxStoreDeps>) {
  const database = await openOutboxDatabase(crypto.randomUUID(), () => {});
  const store = createOutboxStore({
    open: async () => database,
    newId: () => crypto.randomUUID(),
    clockNote: () => null,
    freeSpace: async () => {},
    onChange: () => {},
    ...ports,
  });
  return { database, store };
}
