import { createHash } from 'node:crypto';
import { calculateJwkThumbprint, EmbeddedJWK, errors, type JWTVerifyResult, jwtVerify } from 'jose';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { AppError } from '../platform/errors.ts';

/** The header that carries a proof, and its type (RFC 9449, sections 4.1 and 4.2). */
export const PROOF_HEADER = 'dpop';
const PROOF_TYPE = 'dpop+jwt';
const PROOF_ALGORITHM = 'ES256';
/** How far the time in a proof may be off, in either direction. */
const PROOF_TIME_TOLERANCE_MS = 60_000;
const MAX_PROOF_LENGTH = 2_048;
const MAX_PROOF_ID_LENGTH = 128;

/** Proof that the browser with a certain key made the request. */
export interface SessionProof {
  /** Thumbprint of the public key (RFC 7638, base64url of SHA-256). */
  thumbprint: string;
  /** SHA-256 of the proof's own id: each proof is valid once. */
  id_hash: Buffer;
}

interface ProofOptions {
  /** The origins of our own pages. */
  origins: readonly string[];
  now: () => number;
}

interface RequestToCheck {
  header: string | string[] | undefined;
  method: string;
  path: string;
}

export type ReadProof = (request: RequestToCheck) => Promise<SessionProof | undefined>;

/**
 * Reads the proof of a request (RFC 9449); undefined without one. Throws `bad_request` unless the proof is for exactly
 * this request, and `proof_expired` if its time is off.
 */
export function createProofReader({ origins, now }: ProofOptions): ReadProof {
  return async ({ header, method, path }) => {
    if (header === undefined) return undefined;
    if (typeof header !== 'string' || header.length > MAX_PROOF_LENGTH) throw invalidProof();
    const { payload, protectedHeader } = await verifyProofToken(header);
    const { jti, htm, htu, iat } = payload;
    const matches_request = htm === method && origins.some((origin) => htu === origin + path);
    if (!matches_request || typeof jti !== 'string' || jti.length > MAX_PROOF_ID_LENGTH) throw invalidProof();
    if (typeof iat !== 'number' || !protectedHeader.jwk) throw invalidProof();
    if (Math.abs(iat * 1000 - now()) > PROOF_TIME_TOLERANCE_MS) throw proofExpired();
    return {
      thumbprint: await calculateJwkThumbprint(protectedHeader.jwk),
      id_hash: createHash('sha256').update(jti).digest(),
    };
  };
}

/** The caller checks the time, so that a device with a wrong clock gets `proof_expired` and can retry. */
async function verifyProofToken(header: string): Promise<JWTVerifyResult> {
  try {
    return await jwtVerify(header, EmbeddedJWK, { algorithms: [PROOF_ALGORITHM], typ: PROOF_TYPE });
  } catch (error) {
    if (error instanceof errors.JOSEError) throw invalidProof(error);
    throw error;
  }
}

/** Throws `proof_expired` if the proof was used before, on any node. */
export async function consumeProof(database: Database, { id_hash }: SessionProof, now_ms: number): Promise<void> {
  const expired_before = new Date(now_ms - 2 * PROOF_TIME_TOLERANCE_MS);
  const { numAffectedRows } = await sql`
    with forgotten as (delete from used_proofs where used_at < ${expired_before})
    insert into used_proofs (id_hash, used_at) values (${id_hash}, ${new Date(now_ms)})
    on conflict do nothing`.execute(database);
  if (numAffectedRows !== 1n) throw proofExpired();
}

/** For a used or outdated proof; the reply contains the server's time. */
function proofExpired(): AppError {
  return new AppError('proof_expired', 'This proof was used or is of another time, please send a new one');
}

function invalidProof(cause?: unknown): AppError {
  return new AppError('bad_request', 'The DPoP header is no proof of this request', { cause });
}
