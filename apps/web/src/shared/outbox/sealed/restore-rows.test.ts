import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, test } from 'vitest';
import { fakeOwner } from '#test/unit/fake-owner.ts';
import {
  ANA,
  BEN,
  FACTS,
  FILLED_ITEMS,
  fill,
  finishOp,
  openSealingPage,
  readAgain,
  restore,
  type SealingPage,
  startOp,
  writeMessage,
} from '#test/unit/sealing-page.ts';
import { NO_ROWS } from '../store/rows.ts';

const always = () => true;

let page: SealingPage;
let ana: ReturnType<typeof fakeOwner>;

beforeEach(async () => {
  page = await openSealingPage();
  ana = fakeOwner();
  await page.sealing.saveKey({ user_id: ANA, public_key: ana.public_key }, always);
});

describe('opening', () => {
  test('does nothing for a user who has signed out since', async () => {
    await fill(page, ANA);
    await page.sealing.sealAll();
    await restore(page, ana, () => false);
    expect(await readAgain(page, ANA)).toMatchObject({ rows: NO_ROWS, sealed: [{ item_count: FILLED_ITEMS }] });
  });

  test('in two tabs at once, or again, restores every row once and unchanged', async () => {
    const before = await fill(page, ANA);
    await page.sealing.sealAll();
    const [work] = await page.sealing.listSealed();
    if (!work) throw new Error('nothing is sealed');
    const other = await page.openAgain();
    await Promise.all([
      restore(page, ana),
      other.sealing.restore([{ id: work.id, rows: { ...before, sent: [] } }], always),
    ]);
    await page.sealing.restore([{ id: work.id, rows: { ...before, sent: [] } }], always);
    expect(await readAgain(page, ANA)).toEqual({ rows: before, sealed: [] });
  });

  test('puts rows before those that were saved since the sign-in, also when others wrote in between', async () => {
    const before = await fill(page, ANA);
    await page.sealing.sealAll();
    await writeMessage(page, BEN, 'of Ben');
    await page.outbox.saveOp(ANA, startOp(), { facts: FACTS });
    await writeMessage(page, ANA, 'later');
    const later = await page.outbox.listRows(ANA);
    await restore(page, ana);
    const { ops, messages } = await page.outbox.listRows(ANA);
    expect(ops).toEqual([...before.ops, ...later.ops]);
    expect(messages.map(({ text }) => text)).toEqual(['on my way', 'wait for me', 'later']);
    expect((await page.outbox.listRows(BEN)).messages).toHaveLength(1);
  });

  test('keeps an activity that the user continued, and its noted lengths', async () => {
    const op = startOp();
    const draft = { intensity: null, pool_length_m: 25, lengths: 7 };
    await page.outbox.saveOp(ANA, op, { facts: FACTS });
    await page.outbox.saveDraft(ANA, op.client_id, draft, FACTS);
    await page.sealing.sealAll();
    await page.outbox.saveOp(ANA, finishOp(op), { facts: FACTS });
    await restore(page, ana);
    const { activities, ops } = await page.outbox.listRows(ANA);
    expect(activities).toMatchObject([{ client_id: op.client_id, status: 'completed', draft }]);
    expect(ops.map(({ kind }) => kind)).toEqual(['start', 'finish']);
  });

  test('of two sign-outs keeps the lengths that were noted last', async () => {
    const op = startOp();
    await page.outbox.saveOp(ANA, op, { facts: FACTS });
    for (const lengths of [3, 8]) {
      await page.outbox.saveDraft(ANA, op.client_id, { intensity: null, pool_length_m: 25, lengths }, FACTS);
      await page.sealing.sealAll();
      await page.sealing.saveKey({ user_id: ANA, public_key: ana.public_key }, always);
    }
    await restore(page, ana);
    const { activities, ops } = await page.outbox.listRows(ANA);
    expect(activities).toMatchObject([{ client_id: op.client_id, draft: { lengths: 8 } }]);
    expect(ops).toMatchObject([{ op_id: op.op_id }]);
  });

  test.each([
    [1, { pool_length_m: 25, lengths: 40 }],
    [21, { pool_length_m: 50, lengths: 21 }],
  ])('keeps the longer distance although the counter began again before that: %i lengths', async (lengths, kept) => {
    const op = startOp();
    await page.outbox.saveOp(ANA, op, { facts: FACTS });
    await page.outbox.saveDraft(ANA, op.client_id, { intensity: null, pool_length_m: 25, lengths: 40 }, FACTS);
    await page.sealing.sealAll();
    await page.outbox.saveDraft(ANA, op.client_id, { intensity: 'hard', pool_length_m: 50, lengths }, FACTS);
    await restore(page, ana);
    expect((await page.outbox.listRows(ANA)).activities).toMatchObject([{ draft: { intensity: 'hard', ...kept } }]);
  });

  test('keeps the pauses of both; the earlier one ends where the athlete paused again', async () => {
    const op = startOp();
    const draft = { intensity: null, pool_length_m: 0, lengths: 0 };
    const [early, late] = [{ at_ms: 1000 }, { at_ms: 5000 }];
    await page.outbox.saveOp(ANA, op, { facts: FACTS });
    await page.outbox.saveDraft(ANA, op.client_id, { ...draft, pauses: [{ since: early, until: null }] }, FACTS);
    await page.sealing.sealAll();
    await page.outbox.saveDraft(ANA, op.client_id, { ...draft, pauses: [{ since: late, until: null }] }, FACTS);
    await restore(page, ana);
    const pauses = [
      { since: early, until: late },
      { since: late, until: null },
    ];
    expect((await page.outbox.listRows(ANA)).activities).toMatchObject([{ draft: { pauses } }]);
  });

  test('takes the finish of an activity that the screen still showed as running', async () => {
    const op = startOp();
    await page.outbox.saveOp(ANA, op, { facts: FACTS });
    await page.outbox.applyResults([{ op_id: op.op_id, outcome: 'accepted' }]);
    const finish = finishOp(op);
    await page.outbox.saveOp(ANA, finish);
    await page.sealing.sealAll();
    const draft = { intensity: null, pool_length_m: 25, lengths: 2 };
    await page.outbox.saveDraft(ANA, op.client_id, draft, FACTS);
    await restore(page, ana);
    expect((await page.outbox.listRows(ANA)).activities).toMatchObject([
      { status: 'completed', ended_at: finish.ended_at, draft },
    ]);
  });
});
