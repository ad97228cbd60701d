import 'fake-indexeddb/auto';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { NORA } from '#test/unit/fake-server.ts';
import { runTurns } from '#test/unit/run-turns.ts';
import { deleteUserOfDevice, saveUserOfDevice } from './last-user.ts';
import { createDpopProof, deleteSession, hasSessionKey } from './session-key.ts';

const REQUEST = { method: 'POST', url: 'https://sendlap.test/v1/auth/refresh', now_ms: 1_795_478_463_422 };

beforeEach(deleteSession);

const proveRefresh = () => createDpopProof({ ...REQUEST, key_creation: 'while_signed_in' });
const keyOf = (proof: string | null) => proof?.split('.')[0];

async function signIn(): Promise<string | undefined> {
  const proof = await createDpopProof(REQUEST);
  await saveUserOfDevice(NORA);
  return keyOf(proof);
}

test('a refresh makes no key on a device without a user, whether none has signed in yet or one has signed out', async () => {
  expect(await proveRefresh()).toBeNull();
  indexedDB.deleteDatabase('sendlap-device');
  expect(await proveRefresh()).toBeNull();
  await signIn();
  await deleteSession();
  expect([await proveRefresh(), await hasSessionKey()]).toEqual([null, false]);
});

test('a refresh makes the key of a user whose session began without one, and then signs with it', async () => {
  await saveUserOfDevice(NORA);
  const proof = await proveRefresh();
  expect(proof).not.toBeNull();
  expect(keyOf(await proveRefresh())).toBe(keyOf(proof));
});

test('a refresh signs with the key of a sign-in whose user is not noted yet', async () => {
  const proof = await createDpopProof(REQUEST);
  expect(keyOf(await proveRefresh())).toBe(keyOf(proof));
});

const Turns = fc.nat({ max: 12 });
const Act = fc.record({ act: fc.constantFrom('sign in', 'sign out', 'refresh', 'refresh'), turns: Turns });

/** Sign-ins and sign-outs wait for each other, as their lock makes them; refreshes wait for nothing. */
async function run(acts: { act: string; turns: number }[]): Promise<void> {
  const refreshes: Promise<unknown>[] = [];
  let last: Promise<unknown> = Promise.resolve();
  let key: string | undefined;
  let is_signed_in = false;
  await deleteSession();
  for (const { act, turns } of acts) {
    if (act === 'refresh') {
      refreshes.push(proveRefresh());
    } else {
      last = last.then(async () => {
        if (act === 'sign in') {
          key = await signIn();
        } else {
          await deleteSession();
          await deleteUserOfDevice();
        }
        is_signed_in = act === 'sign in';
      });
    }
    await runTurns(turns);
  }
  await Promise.all([last, ...refreshes]);
  expect(await hasSessionKey()).toBe(is_signed_in);
  if (is_signed_in) expect(keyOf(await proveRefresh())).toBe(key);
}

test('however refreshes fall between sign-ins and sign-outs, none leaves a key after a sign-out or replaces that of a sign-in', async () => {
  await fc.assert(fc.asyncProperty(fc.array(Act, { minLength: 2, maxLength: 8 }), run), { numRuns: 30 });
});
