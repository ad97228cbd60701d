import type { Op } from '@sendlap/contract/activities.ts';
import { unseal } from '#web/shared/outbox/sealed/seal-box.ts';
import { createSealingStore, type SealingStore } from '#web/shared/outbox/sealed/sealing-store.ts';
import { type OutboxDatabase, openOutboxDatabase } from '#web/shared/outbox/store/database.ts';
import type { OutboxRows } from '#web/shared/outbox/store/rows.ts';
import { createOutboxStore, type OutboxStore } from '#web/shared/outbox/store/store.ts';
import type { fakeOwner } from './fake-owner.ts';

export const ANA = '11111111-1111-4111-8111-111111111111';
export const BEN = '22222222-2222-4222-8222-222222222222';
export const CHAT = '33333333-3333-4333-8333-333333333333';
export const FACTS = {
  sport_center_id: crypto.randomUUID(),
  sport_center_name: 'Piscina Sant Jordi',
  sport_type: 'swimming',
  started_at: '2026-11-21T10:00:00.000Z',
  intensity: null,
} as const;
/** Of `fill`. */
export const FILLED_ITEMS = 5;

/** One page of a browser with an outbox: its stores, and what its user does. */
export interface SealingPage {
  database: OutboxDatabase;
  outbox: OutboxStore;
  sealing: SealingStore;
  /** Opens the same database as another page does. */
  openAgain(): Promise<SealingPage>;
}

export async function openSealingPage(name: string = crypto.randomUUID()): Promise<SealingPage> {
  const database = await openOutboxDatabase(name, () => {});
  const shared = { open: async () => database, freeSpace: async () => {}, onChange: () => {} };
  const clock = { now: () => Date.parse(FACTS.started_at), newId: () => crypto.randomUUID(), clockNote: () => null };
  return {
    database,
    outbox: createOutboxStore({ ...shared, ...clock }),
    sealing: createSealingStore({ ...shared, ...clock }),
    openAgain: () => openSealingPage(name),
  };
}

export function startOp(): Extract<Op, { kind: 'start' }> {
  const { sport_center_id, sport_type, started_at } = FACTS;
  const ids = { op_id: crypto.randomUUID(), client_id: crypto.randomUUID() };
  return { kind: 'start', ...ids, sport_center_id, sport_type, started_at };
}

export function finishOp({ client_id }: Pick<Op, 'client_id'>): Extract<Op, { kind: 'finish' }> {
  return { kind: 'finish', op_id: crypto.randomUUID(), client_id, ended_at: '2026-11-21T11:00:00.000Z' };
}

export const writeMessage = ({ outbox }: SealingPage, user_id: string, text: string) =>
  outbox.messages.save({ client_id: crypto.randomUUID(), user_id, chat_id: CHAT, to_name: 'Bea', text });

/** Saves one row of each kind that survives a sign-out: a queued op, a refused one, noted lengths, two messages. */
export async function fill(page: SealingPage, user_id: string): Promise<OutboxRows> {
  const { outbox } = page;
  const [queued, refused, counted] = [startOp(), startOp(), startOp()];
  for (const op of [queued, refused, counted]) await outbox.saveOp(user_id, op, { facts: FACTS });
  await outbox.saveDraft(user_id, counted.client_id, { intensity: null, pool_length_m: 25, lengths: 3 }, FACTS);
  await outbox.applyResults([
    { op_id: counted.op_id, outcome: 'accepted' },
    { op_id: refused.op_id, outcome: 'rejected', code: 'conflict' },
  ]);
  await writeMessage(page, user_id, 'on my way');
  await writeMessage(page, user_id, 'wait for me');
  return outbox.listRows(user_id);
}

/** Opens all work that was sealed for this owner, as after the next sign-in. */
export async function restore(
  { sealing }: SealingPage,
  { public_key, shareSecret }: ReturnType<typeof fakeOwner>,
  isSignedIn = () => true,
): Promise<void> {
  const opened = [];
  for (const work of await sealing.listSealed()) {
    const text = await unseal(work, public_key, shareSecret(work.ephemeral_key));
    if (text !== null) opened.push({ id: work.id, rows: JSON.parse(text) });
  }
  await sealing.restore(opened, isSignedIn);
}

/** The rows and the sealed work as a new page finds them. */
export async function readAgain(page: SealingPage, user_id: string) {
  const { outbox, sealing, database } = await page.openAgain();
  const found = { rows: await outbox.listRows(user_id), sealed: await sealing.listSealed() };
  database.close();
  return found;
}
