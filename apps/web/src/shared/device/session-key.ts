import { encodeUtf8, toBase64Url } from '@sendlap/domain/bytes.ts';
import { forgetUser, namesUser, SESSION, type SessionKey, USER, withDeviceDatabase } from './device-database.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' } as const;

/**
 * Whether a request may create a missing key: a sign-in always, a refresh only while the device has noted a
 * signed-in user (its answer may come after the sign-out), the worker never.
 */
type KeyCreation = 'always' | 'while_signed_in' | 'never';

interface ProofClaims {
  method: string;
  /** Absolute, without query. */
  url: string;
  /** Server time, ms epoch. */
  now_ms: number;
  /** 'always' by default. */
  key_creation?: KeyCreation;
}

/**
 * Returns a proof that this browser makes the request (DPoP, RFC 9449): a JWT signed by a key that never leaves the
 * browser. Returns null if the browser has no keys or no database, or if there is no key and none may be created. Throws
 * the database's error: a proof that is missing for a moment would look like theft.
 */
export async function createDpopProof({
  method,
  url,
  now_ms,
  key_creation = 'always',
}: ProofClaims): Promise<string | null> {
  if (!globalThis.crypto?.subtle || !globalThis.indexedDB) return null;
  const key = await (key_creation === 'never' ? loadKey() : loadOrCreateKey(key_creation));
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

/**
 * The first of two tabs creates it. It is written to disk before it is used: a phone may be killed a moment later. The
 * user is read in the transaction that writes the key: a sign-out, which deletes both, comes either before or after it.
 */
function loadOrCreateKey(creation: Exclude<KeyCreation, 'never'>): Promise<SessionKey | undefined> {
  return withDeviceDatabase(async (database) => {
    const existing = await database.get('session_keys', SESSION);
    if (existing) return existing;
    const made = await generateKey();
    const transaction = database.transaction(['session_keys', 'facts'], 'readwrite', { durability: 'strict' });
    const keys = transaction.objectStore('session_keys');
    const [other, user] = await Promise.all([keys.get(SESSION), transaction.objectStore('facts').get(USER)]);
    const may_create = creation === 'always' || namesUser(user);
    if (!other && may_create) await keys.put(made, SESSION);
    await transaction.done;
    return other ?? (may_create ? made : undefined);
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
