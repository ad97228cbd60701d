import 'fake-indexeddb/auto';
import type { Op, OpResult } from '@sendlap/contract/activities.ts';
import { expect, test } from 'vitest';
import { openStore } from '#test/unit/outbox-store.ts';
import { drain } from './drain.ts';

const ANA = '11111111-1111-4111-8111-111111111111';
const HOLD_MS = 5_000;

test('a deletion that was undone in its last moment is not sent, however long its row took to be read', async () => {
  let now = 1_800_000_000_000;
  const { store } = await openStore({ now: () => now });
  const op: Op = { kind: 'delete', op_id: crypto.randomUUID(), client_id: crypto.randomUUID() };
  await store.saveOp(ANA, op, { hold_ms: HOLD_MS });
  now += HOLD_MS - 1;
  const undone: boolean[] = [];
  const slow_store = {
    ...store,
    async listOps(user_id: string) {
      const ops = await store.listOps(user_id);
      undone.push(await store.undoOp(op.op_id));
      now += 1_000;
      return ops;
    },
  };
  const sent: Op[] = [];
  const send = async (ops: Op[]) => {
    sent.push(...ops);
    return ops.map(({ op_id }): OpResult => ({ op_id, outcome: 'accepted' }));
  };
  const ports = { measureClock: async () => null, random: () => 0, onBegin: () => {}, onResults: () => {} };
  await drain({ store: slow_store, send, now: () => now, ...ports }, ANA);
  expect(undone[0]).toBe(true);
  expect(sent).toEqual([]);
});
