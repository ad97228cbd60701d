// The package has no types of its own; these are the two functions that we use.
declare module 'web-push' {
  interface WebPush {
    /** Keys in base64url. The ciphertext is the whole body of a request (RFC 8188). */
    encrypt(p256dh: string, auth: string, payload: string, encoding: 'aes128gcm'): { cipherText: Buffer };
    /** `audience`: the origin of the push service. Good for 12 hours. */
    getVapidHeaders(
      audience: string,
      subject: string,
      public_key: string,
      private_key: string,
      encoding: 'aes128gcm',
    ): { Authorization: string };
  }
  const web_push: WebPush;
  export default web_push;
}
