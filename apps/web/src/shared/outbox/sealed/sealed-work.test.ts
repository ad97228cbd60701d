import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { fakeOwner } from '#test/unit/fake-owner.ts';
import { ApiError } from '#web/shared/api/errors.ts';
import { openOutboxDatabase } from '../store/database.ts';
import { createMessageStore, type MessageStore } from '../store/message-store.ts';
import { seal } from './seal-box.ts';
import { createSealedWork, RETRY_WHILE_SEALED_MS, type SealedWorkDeps } from './sealed-work.ts';
import { createSealingStore, type SealingStore } from './sealing-store.ts';

const ANA = '11111111-1111-4111-8111-111111111111';
const BEN = '22222222-2222-4222-8222-222222222222';
const owners: Record<string, ReturnType<typeof fakeOwner>> = { [ANA]: fakeOwner(), [BEN]: fakeOwner() };

let store: SealingStore;
let messages: MessageStore;
let database: Awaited<ReturnType<typeof openOutboxDatabase>>;
let user_id: string | null;
let calls: string[];
let failure: ApiError | null;
let timers: { delay_ms: number; run: () => void }[];

function ownerOf(id: string) {
  const owner = owners[id];
  if (!owner) throw new Error('an unknown user');
  return owner;
}

/** Answers as the server does. */
async function answer<Value>(call: string, getValue: () => Value): Promise<Value> {
  calls.push(call);
  if (failure) throw failure;
  return getValue();
}

function shareSecret(id: string, ephemeral_key: string): string {
  try {
    return ownerOf(id).shareSecret(ephemeral_key);
  } catch {
    throw refusal(400, 'validation_failed');
  }
}

function openTab(changes: Partial<SealedWorkDeps> = {}) {
  return createSealedWork({
    store,
    userId: () => user_id,
    fetchKey: (id) => answer('key', () => ownerOf(id).public_key),
    fetchSecret: (id, ephemeral_key) => answer('secret', () => shareSecret(id, ephemeral_key)),
    schedule: (delay_ms, run) => {
      const timer = { delay_ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    ...changes,
  });
}

beforeEach(async () => {
  database = await openOutboxDatabase(crypto.randomUUID(), () => {});
  const shared = { open: async () => database, freeSpace: async () => {}, onChange: () => {} };
  store = createSealingStore({ ...shared, now: () => 0 });
  messages = createMessageStore({ ...shared, now: () => 0, newId: () => crypto.randomUUID() });
  [user_id, calls, failure, timers] = [null, [], null, []];
});

/** Ana signs in, writes a message, and signs out. */
async function sealMessage(text = 'on my way', author = ANA): Promise<void> {
  await store.saveKey({ user_id: author, public_key: ownerOf(author).public_key }, () => true);
  const chat_id = crypto.randomUUID();
  await messages.save({ client_id: crypto.randomUUID(), user_id: author, chat_id, to_name: 'Bea', text });
  await store.sealAll();
}

const textsOf = async (id: string) => (await messages.listMessages(id)).map(({ text }) => text);
const refusal = (status: number, backend_error: string) =>
  new ApiError({ code: 'HTTP_ERROR', status, backend_error, is_from_our_server: true });
const unavailable = refusal(503, 'unavailable');
const no_network = new ApiError({ code: 'NETWORK_ERROR', status: 0 });

describe('sealed work stays sealed', () => {
  test('while no user is signed in: the server is not asked', async () => {
    await sealMessage();
    const tab = openTab();
    await tab.refresh();
    expect([calls, tab.getState().opening, timers]).toEqual([[], [], []]);
    expect(await store.listSealed()).toHaveLength(1);
  });

  test('when another user signs in: it is shown as foreign, and its secret is not requested', async () => {
    await sealMessage();
    user_id = BEN;
    const tab = openTab();
    await tab.refresh();
    expect(calls).toEqual(['key']);
    expect(tab.getState()).toMatchObject({ opening: [], unreadable: [], foreign: [{ item_count: 1 }] });
    expect([await textsOf(ANA), await textsOf(BEN)]).toEqual([[], []]);
    expect(await store.listSealed()).toHaveLength(1);
  });

  test.each([
    ['the server cannot answer now', unavailable],
    ['there is no network', no_network],
  ])('while %s, and is opened a minute later', async (_when, error) => {
    await sealMessage();
    user_id = ANA;
    await store.saveKey({ user_id: ANA, public_key: ownerOf(ANA).public_key }, () => true);
    failure = error;
    const tab = openTab();
    await tab.refresh();
    expect(tab.getState()).toMatchObject({ opening: [{ item_count: 1 }], unreadable: [] });
    expect(await store.listSealed()).toHaveLength(1);
    expect(timers.map(({ delay_ms }) => delay_ms)).toEqual([RETRY_WHILE_SEALED_MS]);
    failure = null;
    timers[0]?.run();
    await vi.waitFor(() => expect(tab.getState().opening).toEqual([]));
    expect(await textsOf(ANA)).toEqual(['on my way']);
  });

  test('beyond the hourly limit of the server, and is opened together with the rest in the next hour', async () => {
    const texts = ['one', 'two', 'three'];
    for (const text of texts) await sealMessage(text);
    user_id = ANA;
    let left = 2;
    const fetchSecret: SealedWorkDeps['fetchSecret'] = async (id, ephemeral_key) => {
      if (left === 0) throw refusal(429, 'rate_limited');
      left -= 1;
      return shareSecret(id, ephemeral_key);
    };
    const tab = openTab({ fetchSecret });
    await tab.refresh();
    expect([await textsOf(ANA), timers.length]).toEqual([[], 1]);
    left = 1;
    await tab.refresh();
    expect(await textsOf(ANA)).toEqual(texts);
    expect(await store.listSealed()).toEqual([]);
  });

  test('while the account is locked, without asking each minute', async () => {
    await sealMessage();
    [user_id, failure] = [ANA, refusal(409, 'account_locked')];
    await openTab().refresh();
    expect([calls, timers]).toEqual([['key'], []]);
    expect(await store.listSealed()).toHaveLength(1);
  });

  test('while the user’s key cannot be fetched', async () => {
    await sealMessage();
    [user_id, failure] = [ANA, unavailable];
    const tab = openTab();
    await tab.refresh();
    expect([calls, await tab.canSeal(ANA)]).toEqual([['key'], false]);
    expect(await store.listSealed()).toHaveLength(1);
    expect(timers).toHaveLength(1);
  });

  test('when the user signs out before the secret arrives', async () => {
    await sealMessage();
    user_id = ANA;
    const fetchSecret: SealedWorkDeps['fetchSecret'] = async (id, ephemeral_key) => {
      user_id = null;
      return ownerOf(id).shareSecret(ephemeral_key);
    };
    const tab = openTab({ fetchSecret });
    await tab.refresh();
    expect([await textsOf(ANA), tab.getState().opening]).toEqual([[], []]);
    expect(await store.listSealed()).toHaveLength(1);
  });
});

describe('damaged work', () => {
  /** Changes the only sealed record. */
  async function damage(change: (record: Awaited<ReturnType<SealingStore['listSealed']>>[number]) => object) {
    const [record] = await store.listSealed();
    if (!record) throw new Error('nothing is sealed');
    await database.put('sealed', { ...record, ...change(record) });
  }

  test.each([
    [
      'its text',
      () =>
        damage(({ ciphertext }) => ({ ciphertext: ciphertext.map((byte, index) => (index === 3 ? byte ^ 1 : byte)) })),
    ],
    ['its key, so that the server refuses it', () => damage(() => ({ ephemeral_key: 'A'.repeat(87) }))],
  ])('in %s is shown, kept, and not tried again; other work is opened', async (_part, spoil) => {
    await sealMessage();
    await spoil();
    await sealMessage('wait for me');
    user_id = ANA;
    const tab = openTab();
    await tab.refresh();
    expect(tab.getState()).toMatchObject({ opening: [], unreadable: [{ item_count: 1 }], foreign: [] });
    expect(await textsOf(ANA)).toEqual(['wait for me']);
    const asked = calls.length;
    await tab.refresh();
    expect([calls.length, timers]).toEqual([asked, []]);
    await tab.discard(tab.getState().unreadable);
    expect(tab.getState()).toEqual({ opening: [], unreadable: [], foreign: [] });
    expect(await store.listSealed()).toEqual([]);
  });

  /** Replaces the only sealed record by one that was made of these rows. */
  async function forge(rows: object): Promise<void> {
    const { public_key } = ownerOf(ANA);
    const sealed = await seal(JSON.stringify(rows), public_key);
    await damage(() => ({ public_key, ...sealed }));
  }

  test('with rows of another user in it is not restored', async () => {
    await sealMessage('of Ben', BEN);
    await forge({ messages: [{ client_id: 'forged', user_id: BEN, text: 'forged' }] });
    user_id = ANA;
    const tab = openTab();
    await tab.refresh();
    expect(tab.getState()).toMatchObject({ unreadable: [{ item_count: 1 }] });
    expect([await textsOf(ANA), await textsOf(BEN)]).toEqual([[], []]);
  });

  test('does not include work of an older version of the app, which had fewer kinds of rows', async () => {
    await sealMessage();
    await forge({ messages: [{ client_id: 'old', user_id: ANA, text: 'of an older app', seq: 1 }] });
    user_id = ANA;
    await openTab().refresh();
    expect(await textsOf(ANA)).toEqual(['of an older app']);
  });
});

test('work of an account that was deleted and made again is foreign to the new one, which can discard it', async () => {
  await sealMessage();
  owners[ANA] = fakeOwner();
  user_id = ANA;
  const tab = openTab();
  await tab.refresh();
  expect(tab.getState()).toMatchObject({ opening: [], unreadable: [], foreign: [{ item_count: 1 }] });
  expect(timers).toEqual([]);
  await tab.discard(tab.getState().foreign);
  expect([tab.getState().foreign, await store.listSealed()]).toEqual([[], []]);
});

test('two tabs open the work of several sign-outs once, in order', async () => {
  await sealMessage('first');
  await sealMessage('second');
  await sealMessage('of Ben', BEN);
  user_id = ANA;
  const [one, other] = [openTab(), openTab()];
  await Promise.all([one.refresh(), other.refresh()]);
  expect(await textsOf(ANA)).toEqual(['first', 'second']);
  expect(await store.listSealed()).toHaveLength(1);
  expect(one.getState()).toMatchObject({ opening: [], foreign: [{ item_count: 1 }] });
});

test('the key is fetched once in a session, and kept for a sign-out without a network', async () => {
  user_id = ANA;
  const tab = openTab();
  await tab.refresh();
  await openTab().refresh();
  expect([calls, await tab.canSeal(ANA), await tab.canSeal(BEN)]).toEqual([['key'], true, false]);
});

test('listeners are called on changes only', async () => {
  await sealMessage();
  user_id = BEN;
  const tab = openTab();
  const listener = vi.fn();
  const unsubscribe = tab.subscribe(listener);
  await tab.refresh();
  await tab.refresh();
  expect(listener).toHaveBeenCalledOnce();
  unsubscribe();
  user_id = null;
  await tab.refresh();
  expect(listener).toHaveBeenCalledOnce();
});
