import { encodeUtf8, toBase64Url } from '@sendlap/domain/bytes.ts';
import { forgetUser, SESSION, type SessionKey, withDeviceDatabase } from './device-database.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' } as const;

interface ProofClaims {
  method: string;
  /** Absolute, without query. */
  url: string;
  /** Server time, ms epoch. */
  now_ms: number;
  /** False: only the key of the last sign-in may sign. True by default. */
  may_create_key?: boolean;
}

/**
 * Returns a proof that this browser makes the request (DPoP, RFC 9449): a JWT signed by a key that never leaves the
 * browser, created at the first call. Returns null if the browser has no keys or no database, or if the key may not be
 * created. Throws the database's error: a proof that is missing for a moment would look like theft.
 */
export async function createDpopProof({
  method,
  url,
  now_ms,
  may_create_key = true,
}: ProofClaims): Promise<string | null> {
  if (!globalThis.crypto?.subtle || !globalThis.indexedDB) return null;
  const key = await (may_create_key ? loadOrCreateKey() : loadKey());
  if (!key) return null;
  const { private_key, public_key } = key;
  const header = encode({ typ: 'dpop+jwt', alg: 'ES256', jwk: public_key });
  const claims = encode({ jti: crypto.randomUUID(), htm: method, htu: url, iat: Math.floor(now_ms / 1000) });
  const signing_input = `${header}.${claims}`;
  const signature = await crypto.subtle.sign(SIGNATURE, private_key, encodeUtf8(signing_input));
  return `${signing_input}.${toBase64Url(new Uint8Array(signature))}`;
}

/** Returns whether a sign-in has created a key here. Throws the database's error. */
export async function hasSessionKey(): Promise<boolean> {
  if (!globalThis.indexedDB) return false;
  return withDeviceDatabase(async (database) => (await database.count('session_keys', SESSION)) > 0);
}

/**
 * Deletes the key and the signed-in user at a sign-out. The next sign-in creates another key, so the server cannot link
 * the two to one browser. On disk once it resolves. Throws the database's error.
 */
export async function deleteSession(): Promise<void> {
  if (!globalThis.indexedDB) return;
  await forgetUser({ with_key: true });
}

function loadKey(): Promise<SessionKey | undefined> {
  return withDeviceDatabase((database) => database.get('session_keys', SESSION));
}

/** The first of two tabs creates it. It is written to disk before it is used: a phone may be killed a moment later. */
function loadOrCreateKey(): Promise<SessionKey> {
  return withDeviceDatabase(async (database) => {
    const existing = await database.get('session_keys', SESSION);
    if (existing) return existing;
    const made = await generateKey();
    const transaction = database.transaction('session_keys', 'readwrite', { durability: 'strict' });
    const other = await transaction.store.get(SESSION);
    if (!other) await transaction.store.put(made, SESSION);
    await transaction.done;
    return other ?? made;
  });
}

async function generateKey(): Promise<SessionKey> {
  const { privateKey: private_key, publicKey } = await crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify']);
  const { kty = '', crv = '', x = '', y = '' } = await crypto.subtle.exportKey('jwk', publicKey);
  return { private_key, public_key: { kty, crv, x, y } };
}

function encode(part: object): string {
  return toBase64Url(encodeUtf8(JSON.stringify(part)));
}
