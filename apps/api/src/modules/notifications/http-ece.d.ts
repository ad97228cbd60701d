// The package has no types; this is the one function that we call.
declare module 'http_ece' {
  interface EncryptParameters {
    version: 'aes128gcm';
    /** The browser's public key and secret, base64url. */
    dh: string;
    authSecret: string;
    /** The sender's key pair for this one message. */
    privateKey: import('node:crypto').ECDH;
  }
  const ece: {
    /** Returns the complete request body (RFC 8188). Throws if a key is not on the curve. */
    encrypt(plaintext: Buffer, parameters: EncryptParameters): Buffer;
  };
  export default ece;
}
