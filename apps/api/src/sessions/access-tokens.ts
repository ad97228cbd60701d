import { errors, importJWK, type JWTVerifyGetKey, jwtVerify, SignJWT } from 'jose';
import type { Database } from '../database/database.ts';
import type { Secrets } from '../database/secrets.ts';
import { loadSigningKeys } from '../database/signing-keys.ts';
import { createBoundedCache } from '../platform/bounded-cache.ts';
import { AppError } from '../platform/errors.ts';

export const ACCESS_TOKEN_LIFETIME_S = 600;
/** Among the signing keys. */
export const ACCESS_TOKEN_PURPOSE = 'access tokens';
const ALG = 'EdDSA';
const ISSUER = 'sendlap';
const AUDIENCE = 'sendlap-api';
const HEADER_TYPE = 'at+jwt';
const TOKEN_TYPE = 'access';
const MAX_CACHED_TOKENS = 20_000;
/**
 * An unknown key id may be that of a newly rotated key, so it triggers a reload of the keys: at most one per interval,
 * or forged tokens could trigger one each.
 */
const KEY_RELOAD_INTERVAL_MS = 10_000;

export interface AccessClaims {
  user_id: string;
  session_id: string;
  /** The generation of the refresh token that was issued together with this access token. */
  generation: number;
  /** The user's account was locked when the token was issued. */
  locked: boolean;
}

export interface AccessTokens {
  issue(claims: AccessClaims, expires_at_ms: number): Promise<string>;
  /**
   * Throws `unauthenticated` unless the token is ours and unexpired. Does not check whether the session ended. Returns
   * the same object for the same token as long as the token is cached.
   */
  verify(token: string): Promise<VerifiedClaims>;
  /** Returns the cached result of `verify`; undefined (a cache miss) says nothing about the token. */
  getCached(token: string): VerifiedClaims | undefined;
}

interface AccessTokensOptions {
  database: Database;
  secrets: Secrets;
  now: () => number;
}

export type VerifiedClaims = AccessClaims & { issued_at_ms: number; expires_at_ms: number };
type PublicKey = Awaited<ReturnType<JWTVerifyGetKey>>;
interface Keys {
  kid: string;
  signing: Parameters<SignJWT['sign']>[0];
  verifying: Map<string, PublicKey>;
  loaded_at_ms: number;
}

/** JWTs signed with EdDSA. A verified token is cached by its text until it expires. */
export function createAccessTokens({ database, secrets, now }: AccessTokensOptions): AccessTokens {
  const claims_by_token = createBoundedCache<VerifiedClaims>({ max: MAX_CACHED_TOKENS });
  let keys_promise: Promise<Keys> | undefined;

  function getKeys(): Promise<Keys> {
    keys_promise ??= loadKeys(database, secrets).catch((error: unknown) => {
      keys_promise = undefined;
      throw error;
    });
    return keys_promise;
  }

  async function findKey(kid: string | undefined): Promise<PublicKey> {
    const keys = await getKeys();
    let key = keys.verifying.get(kid ?? '');
    if (!key && performance.now() - keys.loaded_at_ms > KEY_RELOAD_INTERVAL_MS) {
      keys_promise = undefined;
      key = (await getKeys()).verifying.get(kid ?? '');
    }
    if (!key) throw new errors.JWKSNoMatchingKey();
    return key;
  }

  function cacheClaims(token: string, claims: VerifiedClaims): VerifiedClaims {
    // Another request may have cached the same token during the verification.
    const cached = claims_by_token.get(token);
    if (cached) return cached;
    claims_by_token.set(token, claims);
    return claims;
  }

  function getCached(token: string): VerifiedClaims | undefined {
    const cached = claims_by_token.get(token);
    if (!cached || cached.expires_at_ms > now()) return cached;
    claims_by_token.delete(token);
    return undefined;
  }

  return {
    getCached,

    async issue({ user_id, session_id, generation, locked }, expires_at_ms) {
      const { kid, signing } = await getKeys();
      return new SignJWT({ sid: session_id, gen: generation, typ: TOKEN_TYPE, ...(locked ? { locked } : {}) })
        .setProtectedHeader({ alg: ALG, kid, typ: HEADER_TYPE })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setSubject(user_id)
        .setIssuedAt(Math.floor(now() / 1000))
        .setExpirationTime(Math.floor(expires_at_ms / 1000))
        .sign(signing);
    },

    verify: async (token) => getCached(token) ?? cacheClaims(token, await verifyToken(token, findKey, now())),
  };
}

async function loadKeys(database: Database, secrets: Secrets): Promise<Keys> {
  const loaded_at_ms = performance.now();
  const newest_first = await loadSigningKeys({ database, secrets, purpose: ACCESS_TOKEN_PURPOSE, alg: ALG });
  const verifying = new Map<string, PublicKey>();
  for (const { d: _private_part, ...public_jwk } of newest_first)
    verifying.set(public_jwk.kid, await importJWK(public_jwk, ALG));
  return { kid: newest_first[0].kid, signing: await importJWK(newest_first[0], ALG), verifying, loaded_at_ms };
}

async function verifyToken(
  token: string,
  findKey: (kid?: string) => Promise<PublicKey>,
  now_ms: number,
): Promise<VerifiedClaims> {
  try {
    const { payload } = await jwtVerify(token, (header) => findKey(header.kid), {
      algorithms: [ALG],
      issuer: ISSUER,
      audience: AUDIENCE,
      typ: HEADER_TYPE,
      requiredClaims: ['sub', 'iat', 'exp'],
      currentDate: new Date(now_ms),
    });
    const { sub: user_id, sid: session_id, gen: generation, locked = false, iat = 0, exp = 0 } = payload;
    if (typeof user_id !== 'string' || typeof session_id !== 'string') throw new errors.JWTInvalid();
    if (payload.typ !== TOKEN_TYPE || typeof generation !== 'number' || typeof locked !== 'boolean') {
      throw new errors.JWTInvalid();
    }
    return { user_id, session_id, generation, locked, issued_at_ms: iat * 1000, expires_at_ms: exp * 1000 };
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    throw new AppError('unauthenticated', 'Please sign in again', { cause: error });
  }
}
