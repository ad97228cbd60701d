import 'fake-indexeddb/auto';
import type { OpResult } from '@sendlap/contract/activities.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fakeOwner } from '#test/unit/fake-owner.ts';
import {
  ANA,
  BEN,
  CHAT,
  FACTS,
  FILLED_ITEMS,
  fill,
  openSealingPage,
  readAgain,
  restore,
  type SealingPage,
  startOp,
  writeMessage,
} from '#test/unit/sealing-page.ts';
import { drain } from '../send/drain.ts';
import { NO_ROWS } from '../store/rows.ts';

const always = () => true;

let page: SealingPage;
let ana: ReturnType<typeof fakeOwner>;

beforeEach(async () => {
  page = await openSealingPage();
  ana = fakeOwner();
  await page.sealing.saveKey({ user_id: ANA, public_key: ana.public_key }, always);
});

afterEach(() => vi.restoreAllMocks());

/** From now on every write of this kind to the store fails. */
function failAt(store_name: string, method: 'add' | 'delete', error: () => Error): void {
  const real = IDBObjectStore.prototype[method] as (...args: unknown[]) => IDBRequest;
  const spy = vi.spyOn(IDBObjectStore.prototype, method) as unknown as { mockImplementation(fake: typeof real): void };
  spy.mockImplementation(function (this: IDBObjectStore, ...args) {
    if (this.name === store_name) throw error();
    return real.apply(this, args);
  });
}

describe('a page that ends in the middle', () => {
  const killed = () => new Error('the page was killed');

  test.each([
    ['while the sealed work is written', 'sealed', 'add'],
    ['after the rows were deleted', 'sealing_keys', 'delete'],
  ] as const)(
    'of sealing, %s, leaves all rows and nothing sealed; the next attempt seals them',
    async (_when, store_name, method) => {
      const before = await fill(page, ANA);
      failAt(store_name, method, killed);
      await expect(page.sealing.sealAll()).rejects.toMatchObject({ code: 'storage_failed' });
      expect(await readAgain(page, ANA)).toEqual({ rows: before, sealed: [] });
      vi.restoreAllMocks();
      await (await page.openAgain()).sealing.sealAll();
      expect(await readAgain(page, ANA)).toMatchObject({ rows: NO_ROWS, sealed: [{ item_count: FILLED_ITEMS }] });
    },
  );

  test('of opening leaves the sealed work and no rows; the next attempt opens it', async () => {
    const before = await fill(page, ANA);
    await page.sealing.sealAll();
    failAt('sealed', 'delete', killed);
    await expect(restore(page, ana)).rejects.toMatchObject({ code: 'storage_failed' });
    expect(await readAgain(page, ANA)).toMatchObject({ rows: NO_ROWS, sealed: [{ item_count: FILLED_ITEMS }] });
    vi.restoreAllMocks();
    await restore(page, ana);
    expect(await readAgain(page, ANA)).toEqual({ rows: before, sealed: [] });
  });

  test('a full disk keeps the rows and the key', async () => {
    const before = await fill(page, ANA);
    failAt('sealed', 'add', () => new DOMException('disk is full', 'QuotaExceededError'));
    await expect(page.sealing.sealAll()).rejects.toMatchObject({ code: 'storage_full' });
    expect(await readAgain(page, ANA)).toEqual({ rows: before, sealed: [] });
    expect(await page.sealing.findKey(ANA)).toBe(ana.public_key);
  });
});

describe('sealing', () => {
  test('leaves the rows of a user whose key is not here, and those of other users', async () => {
    const of_ben = await fill(page, BEN);
    await fill(page, ANA);
    await page.sealing.sealAll();
    expect(await page.outbox.listRows(BEN)).toEqual(of_ben);
    expect(await page.outbox.listRows(ANA)).toEqual(NO_ROWS);
  });

  test('leaves no text, name or id of the user, no key, and only numbers of the work', async () => {
    const { ops, messages } = await fill(page, ANA);
    await page.sealing.sealAll();
    const stored = await Promise.all([...page.database.objectStoreNames].map((store) => page.database.getAll(store)));
    const text = JSON.stringify(stored, (_, part) =>
      ArrayBuffer.isView(part) ? Buffer.from(part as never).toString('latin1') : part,
    );
    const canaries = [
      ANA,
      CHAT,
      FACTS.sport_center_name,
      FACTS.sport_center_id,
      'Bea',
      ops[0]?.op_id,
      messages[0]?.text,
    ];
    for (const canary of canaries) expect(text).not.toContain(canary);
    expect(await page.sealing.findKey(ANA)).toBe(null);
    expect(await page.sealing.listSealed()).toMatchObject([
      { public_key: ana.public_key, counts: { activities: 1, proofs: 0, messages: 2 }, item_count: FILLED_ITEMS },
    ]);
  });

  test('without rows leaves nothing', async () => {
    await page.sealing.sealAll();
    expect(await page.sealing.listSealed()).toEqual([]);
    expect(await page.sealing.findKey(ANA)).toBe(null);
  });

  test('includes rows that another tab saves during the encryption', async () => {
    await writeMessage(page, ANA, 'first');
    const sealed = page.sealing.sealAll();
    await writeMessage(page, ANA, 'second');
    await sealed;
    expect(await page.outbox.listRows(ANA)).toEqual(NO_ROWS);
    expect(await page.sealing.listSealed()).toMatchObject([{ item_count: 2 }]);
  });

  test('in two tabs at once seals everything once', async () => {
    const before = await fill(page, ANA);
    const other = await page.openAgain();
    await Promise.all([page.sealing.sealAll(), other.sealing.sealAll()]);
    expect(await page.sealing.listSealed()).toHaveLength(1);
    await restore(page, ana);
    expect(await page.outbox.listRows(ANA)).toEqual(before);
  });

  test('includes rows that another tab saves after the first has sealed', async () => {
    const other = await page.openAgain();
    await other.sealing.findKey(ANA);
    await page.sealing.sealAll();
    await writeMessage(other, ANA, 'saved late');
    await other.sealing.sealAll();
    expect(await page.outbox.listRows(ANA)).toEqual(NO_ROWS);
    expect(await page.sealing.listSealed()).toMatchObject([{ item_count: 1 }]);
  });

  test('of one user that fails does not keep another user’s rows readable', async () => {
    await page.sealing.saveKey({ user_id: BEN, public_key: fakeOwner().public_key }, always);
    await page.sealing.saveKey({ user_id: ANA, public_key: 'damaged' }, always);
    await fill(page, ANA);
    await fill(page, BEN);
    await expect(page.sealing.sealAll()).rejects.toThrow();
    expect(await page.outbox.listRows(BEN)).toEqual(NO_ROWS);
    expect(await page.sealing.listSealed()).toMatchObject([{ item_count: FILLED_ITEMS }]);
  });

  test('during a send takes the op on its way, which is sent again with the same id after the opening', async () => {
    const op = startOp();
    await page.outbox.saveOp(ANA, op, { facts: FACTS });
    const answered = Promise.withResolvers<OpResult[]>();
    const send = vi.fn(() => answered.promise);
    const rest = {
      now: () => 0,
      measureClock: async () => null,
      random: () => 0,
      onBegin: () => {},
      onResults: () => {},
    };
    const draining = drain({ store: page.outbox, send, ...rest }, ANA);
    await vi.waitFor(() => expect(send).toHaveBeenCalledOnce());
    await page.sealing.sealAll();
    answered.resolve([{ op_id: op.op_id, outcome: 'accepted' }]);
    await draining;
    expect(await page.outbox.listRows(ANA)).toEqual(NO_ROWS);
    await restore(page, ana);
    expect((await page.outbox.listOps(ANA)).map(({ op_id }) => op_id)).toEqual([op.op_id]);
  });

  test('a key that arrives after the sign-out is not saved', async () => {
    await page.sealing.sealAll();
    await page.sealing.saveKey({ user_id: ANA, public_key: ana.public_key }, () => false);
    expect(await page.sealing.findKey(ANA)).toBe(null);
  });
});

describe('work that is still sealed after the sign-in', () => {
  beforeEach(async () => {
    await fill(page, ANA);
    await page.sealing.sealAll();
    await page.sealing.saveKey({ user_id: ANA, public_key: ana.public_key }, always);
  });

  test('counts at the next sign-out, for its owner only', async () => {
    expect([await page.outbox.countLocalOnly(ANA), await page.outbox.countLocalOnly(BEN)]).toEqual([FILLED_ITEMS, 0]);
  });

  test('is discarded with everything else of its owner, and by no other user', async () => {
    await page.outbox.discardAll(BEN);
    expect(await page.sealing.listSealed()).toHaveLength(1);
    await page.outbox.discardAll(ANA);
    expect(await page.sealing.listSealed()).toEqual([]);
  });

  test('stays beside the work of the next sign-out', async () => {
    await writeMessage(page, ANA, 'another day');
    await page.sealing.sealAll();
    expect(await page.sealing.listSealed()).toMatchObject([{ item_count: FILLED_ITEMS }, { item_count: 1 }]);
  });
});
