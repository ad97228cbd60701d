import { createECDH } from 'node:crypto';

/** The sealing key of a user, as the server has it. `private_key`: 32 bytes; without one, a new key. */
export function fakeOwner(private_key?: Buffer) {
  const pair = createECDH('prime256v1');
  if (private_key) pair.setPrivateKey(private_key);
  else pair.generateKeys();
  return {
    public_key: pair.getPublicKey('base64url'),
    /** Throws if it is no public key of P-256. */
    shareSecret: (ephemeral_key: string): string => pair.computeSecret(ephemeral_key, 'base64url', 'base64url'),
  };
}
