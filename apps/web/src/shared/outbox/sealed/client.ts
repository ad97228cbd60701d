import { getSealingKey, openSeal } from '@sendlap/contract/sealing-keys.ts';
import { call, session } from '#web/shared/api/client.ts';
import { confirmedUserId, freeSpace, outbox, outboxChannel, schedule } from '../client.ts';
import { watchSendTriggers } from '../send/send-triggers.ts';
import { openOutbox } from '../tabs.ts';
import { createSealedWork } from './sealed-work.ts';
import { createSealingStore } from './sealing-store.ts';

const store = createSealingStore({
  open: openOutbox,
  freeSpace,
  now: () => Date.now(),
  onChange() {
    outbox.handleUserChange();
    outboxChannel.post({ type: 'changed' });
  },
});

/** The sealed work of this browser: its wiring; all modules behind it take their dependencies as arguments. */
export const sealedWork = createSealedWork({
  store,
  userId: confirmedUserId,
  fetchKey: async (user_id) => (await call(getSealingKey, {}, { expected_user_id: user_id })).public_key,
  fetchSecret: async (user_id, ephemeral_key) =>
    (await call(openSeal, { body: { ephemeral_key } }, { expected_user_id: user_id })).secret,
  schedule,
});

let started = false;

/** Watches for work to open. Runs once per page load; the signed-in layout calls it. */
export function startSealedWork(): void {
  if (started) return;
  started = true;
  const refresh = () => void sealedWork.refresh();
  session.subscribe(refresh);
  watchSendTriggers({ page: window, document, schedule }, refresh);
  // A tab that woke up late may have sealed the work of a user who has signed in again.
  outboxChannel.listen(({ type }) => type === 'changed' && refresh());
  refresh();
}

/**
 * At the end of every session: deletes rows kept only for display and seals the rest, unsent work and, unless the user
 * signed out, copies of sent ops.
 */
export async function sealOutbox(): Promise<void> {
  // An intended sign-out keeps no copies of data that the server has.
  await outbox.store.pruneSent({ keeps_copies: !session.wasSignOutIntended() });
  await store.sealAll();
}
