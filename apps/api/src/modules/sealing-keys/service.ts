import { createECDH, type ECDH } from 'node:crypto';
import { getSealingKey, openSeal } from '@sendlap/contract/sealing-keys.ts';
import type { Secrets } from '#api/database/secrets.ts';
import type { Route } from '#api/http/route.ts';
import { AppError } from '#api/platform/errors.ts';

const CURVE = 'prime256v1';

export type SealingKeyService = ReturnType<typeof createSealingKeyService>;

/**
 * The key pair (P-256) of each user, derived from the server's secret, so that a restored backup still opens work
 * that was sealed after it. The private key never leaves the server.
 */
export function createSealingKeyService(secrets: Secrets) {
  function deriveKeyPair(user_id: string): ECDH {
    const private_key = secrets.derive(`sealing key of ${user_id}`);
    // A private key has to be below the order of the curve, which begins with 32 set bits.
    private_key.writeUInt8(private_key.readUInt8() & 0x7f);
    const pair = createECDH(CURVE);
    pair.setPrivateKey(private_key);
    return pair;
  }

  return {
    /** Returns the uncompressed point as base64url. */
    getPublicKey: (user_id: string): string => deriveKeyPair(user_id).getPublicKey('base64url'),

    /**
     * Returns the secret (ECDH) that the user's key shares with this public key, as base64url. Throws
     * `validation_failed` if it is not a point of the curve.
     */
    deriveSecret(user_id: string, ephemeral_key: string): string {
      const pair = deriveKeyPair(user_id);
      try {
        return pair.computeSecret(ephemeral_key, 'base64url', 'base64url');
      } catch {
        const message = 'must be a public key of P-256';
        throw new AppError('validation_failed', `body/ephemeral_key: ${message}`, {
          details: [{ path: 'body/ephemeral_key', message }],
        });
      }
    },
  };
}

export function mountSealingKeys(route: Route, sealing_keys: SealingKeyService): void {
  route(getSealingKey, async (_input, { user_id }) => ({ public_key: sealing_keys.getPublicKey(user_id) }));
  route(openSeal, async ({ body }, { user_id }) => ({
    secret: sealing_keys.deriveSecret(user_id, body.ephemeral_key),
  }));
}
