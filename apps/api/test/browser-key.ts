import { randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose';

/** The claims of a proof; a test changes one at a time. */
export interface Claims {
  htm?: string;
  htu?: string;
  iat?: number;
  jti?: string;
}

export interface BrowserKey {
  thumbprint: string;
  /** Makes a proof for one request, as the app's browser does (RFC 9449). */
  prove(claims: Claims, header?: Record<string, unknown>): Promise<string>;
}

/** Creates a key as a browser keeps it: only this object can sign with it. */
export async function createBrowserKey(alg: 'ES256' | 'RS256' = 'ES256'): Promise<BrowserKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = await exportJWK(publicKey);
  return {
    thumbprint: await calculateJwkThumbprint(jwk),
    prove: (claims, header = {}) =>
      new SignJWT({ jti: randomUUID(), ...claims })
        .setProtectedHeader({ typ: 'dpop+jwt', alg, jwk, ...header })
        .sign(privateKey),
  };
}
