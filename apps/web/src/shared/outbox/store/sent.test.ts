import 'fake-indexeddb/auto';
import type { Op, OpResult } from '@sendlap/contract/activities.ts';
import type { Message } from '@sendlap/contract/chats.ts';
import fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { fakeOwner } from '#test/unit/fake-owner.ts';
import {
  ANA,
  BEN,
  FACTS,
  finishOp,
  openSealingPage,
  restore,
  type SealingPage,
  startOp,
  writeMessage,
} from '#test/unit/sealing-page.ts';
import { drain } from '../send/drain.ts';

const DAY_MS = 86_400_000;

let page: SealingPage;
beforeEach(async () => {
  page = await openSealingPage();
});

const accept = (ops: Op[]): OpResult[] => ops.map(({ op_id }) => ({ op_id, outcome: 'accepted' }));
const queuedIds = async (user_id = ANA) => (await page.outbox.listOps(user_id)).map(({ op_id }) => op_id);
const queuedTexts = async () => (await page.outbox.messages.listMessages(ANA)).map(({ text }) => text);

/** Saves the ops, and the server acknowledges them. */
async function send(ops: Op[], user_id = ANA): Promise<void> {
  for (const op of ops) await page.outbox.saveOp(user_id, op, { facts: FACTS });
  await page.outbox.applyResults(accept(ops));
}

async function sendMessage(text: string): Promise<void> {
  await writeMessage(page, ANA, text);
  const [message] = await page.outbox.messages.listMessages(ANA);
  await page.outbox.messages.confirmSent(message?.client_id ?? '', 1);
}

describe('nothing is sent again', () => {
  test('to a server in the same epoch, or one that names none', async () => {
    await send([startOp()]);
    expect(await page.outbox.saveEpoch('one')).toBe(false);
    await send([startOp()]);
    expect(await page.outbox.saveEpoch('one')).toBe(false);
    expect(await queuedIds()).toEqual([]);
  });

  test('that the server has refused', async () => {
    await page.outbox.saveEpoch('one');
    const op = startOp();
    await page.outbox.saveOp(ANA, op, { facts: FACTS });
    await page.outbox.applyResults([{ op_id: op.op_id, outcome: 'rejected', code: 'conflict' }]);
    expect(await page.outbox.saveEpoch('two')).toBe(false);
    expect(await queuedIds()).toEqual([]);
  });

  test('that was acknowledged more than 14 days ago', async () => {
    await page.outbox.saveEpoch('one');
    const [old, recent] = [startOp(), startOp()];
    await send([old, recent]);
    const item = await page.database.get('sent', old.op_id);
    if (item) await page.database.put('sent', { ...item, sent_at: item.sent_at - 14.01 * DAY_MS });
    expect(await page.outbox.saveEpoch('two')).toBe(true);
    expect(await queuedIds()).toEqual([recent.op_id]);
  });

  test('that was sealed with unsent work, more than 14 days after it was acknowledged', async () => {
    const ana = fakeOwner();
    await page.sealing.saveKey({ user_id: ANA, public_key: ana.public_key }, () => true);
    await page.outbox.saveEpoch('one');
    const [old, unsent] = [startOp(), startOp()];
    await send([old]);
    const item = await page.database.get('sent', old.op_id);
    if (item) await page.database.put('sent', { ...item, sent_at: item.sent_at - 14.01 * DAY_MS });
    await page.outbox.saveOp(ANA, unsent, { facts: FACTS });
    await page.sealing.sealAll();
    await page.outbox.saveEpoch('two');
    await restore(page, ana);
    expect(await queuedIds()).toEqual([unsent.op_id]);
    expect(await page.database.count('sent')).toBe(0);
  });

  test('that the server kept waiting and then refused', async () => {
    await page.outbox.saveEpoch('one');
    const [told, asked] = [startOp(), startOp()];
    for (const { op_id, ...op } of [told, asked]) {
      await page.outbox.saveOp(ANA, { ...op, op_id }, { facts: FACTS });
      await page.outbox.applyResults([{ op_id, outcome: 'waiting' }]);
    }
    await page.outbox.applyScanDecision({ op_id: told.op_id, outcome: 'rejected', code: 'conflict' });
    await page.outbox.requeueWaitingScans(ANA);
    await page.outbox.applyResults([{ op_id: asked.op_id, outcome: 'rejected', code: 'conflict' }]);
    expect(await page.outbox.saveEpoch('two')).toBe(false);
  });

  test('of a user whose session ended before a key to seal it was here', async () => {
    await page.outbox.saveEpoch('one');
    await send([startOp()]);
    await sendMessage('private');
    await page.outbox.pruneSent({ keeps_copies: true });
    await page.sealing.sealAll();
    expect(await page.database.count('sent')).toBe(0);
  });

  test('of a user who signed out on purpose', async () => {
    await page.outbox.saveEpoch('one');
    await send([startOp()]);
    await page.outbox.pruneSent({ keeps_copies: false });
    expect(await page.outbox.saveEpoch('two')).toBe(false);
    expect(await page.database.count('sent')).toBe(0);
  });
});

test('ops and messages acknowledged in an earlier epoch are queued again, once, in order, before newer work', async () => {
  await page.outbox.saveEpoch('one');
  const start = startOp();
  const [finish, newer, of_ben] = [finishOp(start), startOp(), startOp()];
  await send([start, finish]);
  await send([of_ben], BEN);
  await sendMessage('lost');
  await page.outbox.saveOp(ANA, newer, { facts: FACTS });
  await writeMessage(page, ANA, 'newer');
  expect(await page.outbox.saveEpoch('two')).toBe(true);
  expect(await queuedIds()).toEqual([start.op_id, finish.op_id, newer.op_id]);
  expect(await queuedIds(BEN)).toEqual([of_ben.op_id]);
  expect(await queuedTexts()).toEqual(['lost', 'newer']);
  expect(await page.outbox.saveEpoch('two')).toBe(false);
  // Acknowledged again, it is kept for the next restore.
  await page.outbox.applyResults(accept([start, finish]));
  expect(await page.outbox.saveEpoch('three')).toBe(true);
  expect(await queuedIds()).toEqual([start.op_id, finish.op_id, newer.op_id]);
});

test('a message that the worker sent, and no page has stored since, is queued again', async () => {
  await page.outbox.saveEpoch('one');
  for (const text of ['lost', 'newer']) await writeMessage(page, ANA, text);
  const [lost] = await page.outbox.messages.listMessages(ANA);
  await page.outbox.messages.markAccepted(lost?.client_id ?? '', { seq: 1 } as Message);
  expect(await queuedTexts()).toEqual(['newer']);
  expect(await page.outbox.saveEpoch('two')).toBe(true);
  expect(await queuedTexts()).toEqual(['lost', 'newer']);
  expect(await page.outbox.messages.listAccepted(ANA)).toEqual([]);
  // A page that was storing it in its thread during the restore does not end its wait.
  await page.outbox.messages.confirmAdopted(lost?.client_id ?? '', 1);
  expect(await queuedTexts()).toEqual(['lost', 'newer']);
});

test('a message that its thread has is waiting no more, unless the server was restored since', async () => {
  await page.outbox.saveEpoch('one');
  for (const text of ['in its thread', 'in doubt']) await writeMessage(page, ANA, text);
  const { messages } = page.outbox;
  const [stored, in_doubt] = (await messages.listMessages(ANA)).map(({ client_id }) => client_id);
  await messages.confirmStored(stored ?? '', 1);
  expect(await queuedTexts()).toEqual(['in doubt']);
  // Its copy is sent again like any other.
  await page.outbox.saveEpoch('two');
  expect(await queuedTexts()).toEqual(['in its thread', 'in doubt']);
  for (const [index, id] of [stored, in_doubt].entries()) await messages.confirmStored(id ?? '', index + 1);
  expect(await queuedTexts()).toEqual(['in its thread', 'in doubt']);
  await messages.confirmSent(stored ?? '', 1);
  expect(await queuedTexts()).toEqual(['in doubt']);
});

test('a full disk takes the answers without the copies', async () => {
  await page.outbox.saveEpoch('one');
  const op = startOp();
  const real = IDBObjectStore.prototype.put;
  const spy = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...args) {
    if (this.name === 'sent') throw new DOMException('disk is full', 'QuotaExceededError');
    return real.apply(this, args);
  });
  await send([op]);
  await sendMessage('hello');
  await writeMessage(page, ANA, 'by the worker');
  const [message] = await page.outbox.messages.listMessages(ANA);
  await page.outbox.messages.markAccepted(message?.client_id ?? '', { seq: 2 } as Message);
  spy.mockRestore();
  expect(await queuedIds()).toEqual([]);
  expect(await queuedTexts()).toEqual([]);
  expect(await page.database.count('sent')).toBe(0);
});

test('a session that ended by the restore: the copies are sealed, and sent after the next sign-in', async () => {
  const ana = fakeOwner();
  await page.sealing.saveKey({ user_id: ANA, public_key: ana.public_key }, () => true);
  await page.outbox.saveEpoch('one');
  const op = startOp();
  await send([op]);
  await page.outbox.pruneSent({ keeps_copies: true });
  await page.sealing.sealAll();
  expect(await page.sealing.listSealed()).toMatchObject([{ item_count: 0 }]);
  expect(await page.database.count('sent')).toBe(0);
  await page.outbox.saveEpoch('two');
  await restore(page, ana);
  expect(await queuedIds()).toEqual([op.op_id]);
});

test('copies of a user who never came back are deleted after 14 days, unsent work stays', async () => {
  const ana = fakeOwner();
  const sealed = { ciphertext: new Uint8Array(), ephemeral_key: '', public_key: ana.public_key, sealed_at: 0 };
  const counts = { activities: 0, proofs: 0, messages: 0 };
  for (const item_count of [0, 1]) await page.database.add('sealed', { ...sealed, counts, item_count } as never);
  await page.outbox.saveEpoch('one');
  expect(await page.sealing.listSealed()).toMatchObject([{ item_count: 1 }]);
});

test('a server that is restored to any earlier moment gets back all that it ever acknowledged, each once', async () => {
  type Step = 'save' | 'send' | 'back up' | 'restore' | 'load page';
  const steps = fc.array(fc.constantFrom<Step>('save', 'save', 'send', 'send', 'back up', 'restore', 'load page'), {
    maxLength: 30,
  });
  await fc.assert(
    fc.asyncProperty(steps, async (plan) => {
      page = await openSealingPage();
      let epoch = 1;
      let server: string[] = [];
      let backup: string[] = [];
      const acknowledged = new Set<string>();
      const run = async () => {
        const receive = async (ops: Op[]) => {
          const results = ops.map(
            ({ op_id }): OpResult => ({
              op_id,
              outcome: server.includes(op_id) ? 'duplicate' : 'accepted',
            }),
          );
          server.push(...ops.map(({ op_id }) => op_id).filter((op_id) => !server.includes(op_id)));
          for (const { op_id } of ops) acknowledged.add(op_id);
          return results;
        };
        const none = { measureClock: async () => null, random: () => 0, onBegin() {}, onResults() {} };
        await drain({ ...none, store: page.outbox, send: receive, now: () => Date.now() }, ANA);
      };
      await page.outbox.saveEpoch(String(epoch));
      for (const step of plan) {
        if (step === 'save') await page.outbox.saveOp(ANA, startOp(), { facts: FACTS });
        else if (step === 'send') await run();
        else if (step === 'back up') backup = [...server];
        else if (step === 'restore') {
          server = [...backup];
          epoch += 1;
        } else await page.outbox.saveEpoch(String(epoch));
      }
      await page.outbox.saveEpoch(String(epoch));
      await run();
      expect(new Set(server)).toEqual(acknowledged);
      expect(server).toHaveLength(acknowledged.size);
    }),
    { numRuns: 60 },
  );
});
