import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { fakeOwner } from '#test/unit/fake-owner.ts';
import { ANA, FACTS, fill, openSealingPage, restore, startOp, writeMessage } from '#test/unit/sealing-page.ts';
import { ApiError } from '#web/shared/api/errors.ts';
import { createSealedWork } from './sealed-work.ts';

const always = () => true;

test('A: what a second tab saves after the first has sealed is sealed at the end of that tab too', async () => {
  const ana = fakeOwner();
  const page = await openSealingPage();
  await page.sealing.saveKey({ user_id: ANA, public_key: ana.public_key }, always);
  await fill(page, ANA);
  const other = await page.openAgain();
  await page.sealing.sealAll(); // tab 1: session ended by the server
  await writeMessage(other, ANA, 'SECRET TEXT'); // tab 2: refresh has no network, still shows Ana
  await other.sealing.sealAll(); // tab 2 ends
  expect((await page.outbox.listRows(ANA)).messages.map(({ text }) => text)).toEqual([]);
});

test('B: work sealed 61 times opens in the end (60 secrets an hour)', async () => {
  const ana = fakeOwner();
  const page = await openSealingPage();
  for (let nth = 0; nth < 61; nth += 1) {
    await page.sealing.saveKey({ user_id: ANA, public_key: ana.public_key }, always);
    await writeMessage(page, ANA, `m${nth}`);
    await page.sealing.sealAll();
  }
  let used = 0;
  const work = createSealedWork({
    store: page.sealing,
    userId: () => ANA,
    fetchKey: async () => ana.public_key,
    fetchSecret: async (_id, key) => {
      used += 1;
      if (used > 60) throw new ApiError({ code: 'HTTP_ERROR', status: 429, backend_error: 'rate_limited', is_from_our_server: true });
      return ana.shareSecret(key);
    },
    schedule: () => () => {},
  });
  for (let hour = 0; hour < 3; hour += 1) {
    used = 0;
    await work.refresh();
  }
  expect((await page.outbox.listRows(ANA)).messages).toHaveLength(61);
}, 30_000);

test('C: lengths noted before the sign-out are not lost to one tap made before the opening', async () => {
  const ana = fakeOwner();
  const page = await openSealingPage();
  await page.sealing.saveKey({ user_id: ANA, public_key: ana.public_key }, always);
  const op = startOp();
  await page.outbox.saveOp(ANA, op, { facts: FACTS });
  await page.outbox.applyResults([{ op_id: op.op_id, outcome: 'accepted' }]);
  await page.outbox.saveDraft(ANA, op.client_id, { intensity: null, pool_length_m: 25, lengths: 40 }, FACTS);
  await page.sealing.sealAll();
  await page.outbox.saveDraft(ANA, op.client_id, { intensity: null, pool_length_m: 25, lengths: 1 }, FACTS);
  await restore(page, ana);
  expect((await page.outbox.listRows(ANA)).activities[0]?.draft?.lengths).toBeGreaterThanOrEqual(40);
});
