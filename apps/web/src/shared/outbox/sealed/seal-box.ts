import { type Bytes, fromBase64Url, toBase64Url } from '@sendlap/domain/bytes.ts';

const CURVE = { name: 'ECDH', namedCurve: 'P-256' } as const;
const CIPHER = 'AES-GCM';
const SECRET_BITS = 256;
/** Each key seals one text, so that the nonce need not differ. */
const NONCE = new Uint8Array(12);

/** A text that only the owner of a key pair can read. Keys are uncompressed points of P-256 as base64url. */
export interface SealedText {
  ephemeral_key: string;
  ciphertext: Bytes;
}

/** Seals without a network, and without a key that could open it again. */
export async function seal(text: string, public_key: string): Promise<SealedText> {
  const owner = await crypto.subtle.importKey('raw', toBytes(public_key), CURVE, false, []);
  const { privateKey, publicKey } = await crypto.subtle.generateKey(CURVE, false, ['deriveBits']);
  const ephemeral_key = toBase64Url(new Uint8Array(await crypto.subtle.exportKey('raw', publicKey)));
  const secret = await crypto.subtle.deriveBits({ name: CURVE.name, public: owner }, privateKey, SECRET_BITS);
  const key = await deriveCipherKey(new Uint8Array(secret), { ephemeral_key, public_key });
  const sealed = await crypto.subtle.encrypt({ name: CIPHER, iv: NONCE }, key, new TextEncoder().encode(text));
  return { ephemeral_key, ciphertext: new Uint8Array(sealed) };
}

/** `secret`: the secret that the two keys share, base64url. Returns null if the sealed text or a key was changed. */
export async function unseal(
  { ephemeral_key, ciphertext }: SealedText,
  public_key: string,
  secret: string,
): Promise<string | null> {
  try {
    const key = await deriveCipherKey(toBytes(secret), { ephemeral_key, public_key });
    const opened = await crypto.subtle.decrypt({ name: CIPHER, iv: NONCE }, key, ciphertext);
    return new TextDecoder().decode(opened);
  } catch {
    return null;
  }
}

function deriveCipherKey(
  secret: Bytes,
  { ephemeral_key, public_key }: { ephemeral_key: string; public_key: string },
): Promise<CryptoKey> {
  const info = new TextEncoder().encode(`sendlap sealed work ${ephemeral_key} ${public_key}`);
  const hkdf = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info } as const;
  return crypto.subtle
    .importKey('raw', secret, hkdf.name, false, ['deriveKey'])
    .then((base) =>
      crypto.subtle.deriveKey(hkdf, base, { name: CIPHER, length: SECRET_BITS }, false, ['encrypt', 'decrypt']),
    );
}

function toBytes(text: string): Bytes {
  const bytes = fromBase64Url(text);
  if (!bytes) throw new RangeError('not base64url');
  return bytes;
}
