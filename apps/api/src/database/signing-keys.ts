import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { sql } from 'kysely';
import type { Database, Trx } from './database.ts';
import type { Secrets } from './secrets.ts';

/** A private key; the JWK contains `kid`. */
export type SigningKey = JWK & { kid: string; alg: 'EdDSA' | 'ES256' };

interface SigningKeysOptions {
  database: Database;
  secrets: Secrets;
  purpose: string;
  alg: SigningKey['alg'];
}

/**
 * Returns the keys of one purpose, newest first, and creates the first one. All nodes share them through the database,
 * where they are encrypted. To rotate, insert another row: the newest signs, all verify.
 */
export async function loadSigningKeys(options: SigningKeysOptions): Promise<[SigningKey, ...SigningKey[]]> {
  const { database, secrets, purpose } = options;
  const [newest, ...older] = await readKeys(database, secrets, purpose);
  if (newest) return [newest, ...older];
  return database.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext(${`signing key of ${purpose}`}))`.execute(trx);
    const [created_concurrently, ...rest] = await readKeys(trx, secrets, purpose);
    if (created_concurrently) return [created_concurrently, ...rest];
    const key = await generateKey(options.alg);
    const private_jwk = secrets.encrypt(Buffer.from(JSON.stringify(key)), encryptionContext(key.kid, purpose));
    await trx.insertInto('signing_keys').values({ id: key.kid, purpose, private_jwk }).execute();
    return [key];
  });
}

/** Returns false if a key in the database was encrypted with another secret. */
export async function canDecryptSigningKeys(database: Database, secrets: Secrets): Promise<boolean> {
  const rows = await database.selectFrom('signing_keys').select(['id', 'purpose', 'private_jwk']).execute();
  try {
    for (const row of rows) secrets.decrypt(row.private_jwk, encryptionContext(row.id, row.purpose));
    return true;
  } catch {
    return false;
  }
}

async function readKeys(database: Database | Trx, secrets: Secrets, purpose: string): Promise<SigningKey[]> {
  const rows = await database
    .selectFrom('signing_keys')
    .select(['id', 'private_jwk'])
    .where('purpose', '=', purpose)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  return rows.map((row) => JSON.parse(secrets.decrypt(row.private_jwk, encryptionContext(row.id, purpose)).toString()));
}

async function generateKey(alg: SigningKey['alg']): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: randomUUID(), alg, use: 'sig' };
}

function encryptionContext(kid: string, purpose: string): string {
  return `signing key ${kid} of ${purpose}`;
}
