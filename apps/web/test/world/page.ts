import type { Op, OpResult } from '@sendlap/contract/activities.ts';
import { createOutbox } from '#web/shared/outbox/outbox.ts';
import { openOutboxDatabase } from '#web/shared/outbox/store/database.ts';
import { createOutboxStore } from '#web/shared/outbox/store/store.ts';
import type { Moments } from './moments.ts';
import type { Random } from './random.ts';

interface PageDeps {
  random: Random;
  moments: Moments;
  newId: () => string;
  signedIn: () => string;
  send: (user_id: string, ops: Op[]) => Promise<OpResult[]>;
}

/** The app's own outbox in one page life; after a crash nothing of it runs or is answered. */
export async function openPage({ random, moments, newId, signedIn, send }: PageDeps) {
  let is_alive = true;
  let requests = 0;
  let turns: Promise<unknown> = Promise.resolve();
  const never = new Promise<never>(() => {});
  const database = await openOutboxDatabase('world', () => {});
  const open = async () => (is_alive ? database : never);
  const storage = { open, now: moments.now, newId, clockNote: () => null, freeSpace: async () => {} };

  async function sendWhileAlive(user_id: string, ops: Op[]): Promise<OpResult[]> {
    requests += 1;
    try {
      return await send(user_id, ops);
    } finally {
      requests -= 1;
      if (!is_alive) await never;
    }
  }

  const outbox = createOutbox({
    makeStore: (onChange) => createOutboxStore({ ...storage, onChange }),
    channel: { post: () => {}, listen: () => {} },
    lock(work) {
      const turn = turns.then(work);
      turns = turn.catch(() => {});
      return turn;
    },
    lockChat: (_chat_id, work) => work(),
    send: sendWhileAlive,
    sendMessage: () => Promise.reject(new Error('no messages in this world')),
    monotonicNow: moments.now,
    now: moments.now,
    random: () => random.below(1_000) / 1_000,
    isOnline: () => true,
    measureClock: async () => null,
    shownUserId: signedIn,
    confirmedUserId: () => (is_alive ? signedIn() : null),
    scheduleBackgroundSync: () => {},
    schedule: (delay_ms, run) => moments.after(delay_ms, () => is_alive && run()),
  });

  return {
    outbox,
    rowsOf: createOutboxStore({ ...storage, onChange: () => {} }).listRows,
    /** Returns whether a request was on its way. */
    crash(): boolean {
      is_alive = false;
      database.close();
      return requests > 0;
    },
  };
}
