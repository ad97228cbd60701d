import 'fake-indexeddb/auto';
import { fromBase64Url } from '@sendlap/domain/bytes.ts';
import { openDB } from 'idb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NORA } from '#test/unit/fake-server.ts';
import { loadUserOfDevice, saveUserOfDevice } from './last-user.ts';
import { createDpopProof, deleteSession, hasSessionKey } from './session-key.ts';

const REQUEST = { method: 'POST', url: 'https://sendlap.test/v1/auth/refresh', now_ms: 1_795_478_463_422 };

beforeEach(deleteSession);
afterEach(() => vi.unstubAllGlobals());

const decode = (part: string | undefined) =>
  JSON.parse(new TextDecoder().decode(fromBase64Url(part ?? '') ?? undefined));

async function readProof(proof: string | null) {
  const [header, claims, signature = ''] = (proof ?? '').split('.');
  const { jwk, ...said } = decode(header);
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  const key = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify']);
  const signed = new TextEncoder().encode(`${header}.${claims}`);
  const bytes = fromBase64Url(signature) ?? new Uint8Array();
  const is_signed = await crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, bytes, signed);
  return { jwk, said, claims: decode(claims), is_signed };
}

test('a proof names the request, its time and the public key, and is signed by the private one', async () => {
  const { jwk, said, claims, is_signed } = await readProof(await createDpopProof(REQUEST));
  expect(said).toEqual({ typ: 'dpop+jwt', alg: 'ES256' });
  expect(claims).toEqual({ jti: expect.any(String), htm: 'POST', htu: REQUEST.url, iat: 1_795_478_463 });
  expect(Object.keys(jwk).sort()).toEqual(['crv', 'kty', 'x', 'y']);
  expect(is_signed).toBe(true);
});

test('each proof has an id of its own, and all have one key, however many tabs ask first', async () => {
  const proofs = await Promise.all(Array.from({ length: 4 }, async () => readProof(await createDpopProof(REQUEST))));
  expect(new Set(proofs.map(({ claims }) => claims.jti)).size).toBe(4);
  expect(new Set(proofs.map(({ jwk }) => jwk.x)).size).toBe(1);
});

test('the private key cannot be read out of the database', async () => {
  await createDpopProof(REQUEST);
  const database = await openDB('sendlap-device');
  const { private_key } = await database.get('session_keys', 'session');
  database.close();
  expect(private_key.usages).toEqual(['sign']);
  await expect(crypto.subtle.exportKey('jwk', private_key)).rejects.toThrow();
});

test('after a sign-out there is another key', async () => {
  const before = await readProof(await createDpopProof(REQUEST));
  await deleteSession();
  const after = await readProof(await createDpopProof(REQUEST));
  expect(after.jwk.x).not.toBe(before.jwk.x);
});

test('a sign-out deletes the user beside the key', async () => {
  await saveUserOfDevice(NORA);
  expect(await loadUserOfDevice()).toEqual(NORA);
  await deleteSession();
  expect(await loadUserOfDevice()).toBeNull();
});

test('on a full disk a sign-out deletes the user and the key, without the note that none is signed in', async () => {
  await createDpopProof(REQUEST);
  await saveUserOfDevice(NORA);
  const spy = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('disk is full', 'QuotaExceededError');
  });
  await deleteSession();
  spy.mockRestore();
  expect([await loadUserOfDevice(), await hasSessionKey()]).toEqual([undefined, false]);
});

test('the worker signs with the key of the last sign-in, and makes none', async () => {
  const ofWorker = () => createDpopProof({ ...REQUEST, key_creation: 'never' });
  expect(await ofWorker()).toBeNull();
  expect(await hasSessionKey()).toBe(false);
  const { jwk } = await readProof(await createDpopProof(REQUEST));
  expect((await readProof(await ofWorker())).jwk).toEqual(jwk);
});

test('a browser without keys or databases creates no proof, and a sign-out does not fail', async () => {
  vi.stubGlobal('indexedDB', undefined);
  expect(await createDpopProof(REQUEST)).toBeNull();
  await deleteSession();
  vi.unstubAllGlobals();
  vi.stubGlobal('crypto', {});
  expect(await createDpopProof(REQUEST)).toBeNull();
});

test('a failure of the database is thrown', async () => {
  vi.spyOn(indexedDB, 'open').mockImplementationOnce(() => {
    throw new DOMException('busy', 'UnknownError');
  });
  await expect(createDpopProof(REQUEST)).rejects.toThrow('busy');
});

test('the installation id survives the upgrade of the database', async () => {
  indexedDB.deleteDatabase('sendlap-device');
  const old = await openDB('sendlap-device', 1, {
    upgrade(database) {
      database.createObjectStore('keys', { keyPath: 'user_id' });
      database.createObjectStore('facts');
    },
  });
  await old.put('facts', 'an id', 'installation_id');
  old.close();
  expect(await createDpopProof(REQUEST)).not.toBeNull();
  const database = await openDB('sendlap-device');
  expect(await database.get('facts', 'installation_id')).toBe('an id');
  database.close();
});

test('a key of a sign-in is found without making one', async () => {
  expect(await hasSessionKey()).toBe(false);
  await createDpopProof(REQUEST);
  expect(await hasSessionKey()).toBe(true);
  await deleteSession();
  expect([await hasSessionKey(), await hasSessionKey()]).toEqual([false, false]);
});
