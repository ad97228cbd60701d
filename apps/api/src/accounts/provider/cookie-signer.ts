import { createHmac, timingSafeEqual } from 'node:crypto';

/** Signs the cookies of oidc-provider by HMAC-SHA-256: its cookie library takes SHA-1 for a key alone. */
export class CookieSigner {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
  }

  sign(cookie: string): string {
    return createHmac('sha256', this.#key).update(cookie).digest('base64url');
  }

  /** Returns the number of the key that signed the cookie: 0, or -1 if none did. */
  index(cookie: string, signature: string): number {
    const [expected, given] = [Buffer.from(this.sign(cookie)), Buffer.from(signature)];
    return expected.length === given.length && timingSafeEqual(expected, given) ? 0 : -1;
  }
}
