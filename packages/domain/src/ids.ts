/** UUID v4 of RFC 9562: version nibble 4, variant bits 10; either letter case. */
export const UUID_V4_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

const UUID_SHAPE = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const UUID_BYTES = 16;

/** Returns true only for a UUID v4 of 36 characters (no braces, no spaces, no other version). */
export function isUuidV4(value: unknown): value is string {
  return typeof value === 'string' && UUID_V4_PATTERN.test(value);
}

/** Returns the 16 bytes of a UUID of any version. Throws RangeError for other text. */
export function uuidToBytes(uuid: string): Uint8Array<ArrayBuffer> {
  if (!UUID_SHAPE.test(uuid)) throw new RangeError('not a UUID');
  const hex = uuid.replaceAll('-', '');
  const bytes = new Uint8Array(UUID_BYTES);
  for (let index = 0; index < UUID_BYTES; index += 1) {
    bytes[index] = Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16);
  }
  return bytes;
}

/** Returns the 36 characters, in lower case, of 16 bytes. Throws RangeError for any other length. */
export function bytesToUuid(bytes: Uint8Array): string {
  if (bytes.length !== UUID_BYTES) throw new RangeError('a UUID has 16 bytes');
  let hex = '';
  for (const byte of bytes) hex += byte.toString(16).padStart(2, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
