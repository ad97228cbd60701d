/** Bytes with their own buffer, as Web Crypto requires. */
export type Bytes = Uint8Array<ArrayBuffer>;

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const REPLACEMENT = 0xfffd;

const isSurrogate = (code_point: number): boolean => code_point >= 0xd800 && code_point <= 0xdfff;

/** base64url without padding (RFC 4648, section 5). */
export function toBase64Url(bytes: Uint8Array): string {
  let text = '';
  for (let index = 0; index < bytes.length; index += 3) {
    const group = ((bytes[index] ?? 0) << 16) | ((bytes[index + 1] ?? 0) << 8) | (bytes[index + 2] ?? 0);
    const characters = Math.min(3, bytes.length - index) + 1;
    for (let shift = 18; shift > 18 - 6 * characters; shift -= 6) text += BASE64URL.charAt((group >>> shift) & 63);
  }
  return text;
}

/** Returns the bytes of a base64url text, or null: refuses padding, foreign characters and set bits after the end. */
export function fromBase64Url(text: string): Bytes | null {
  if (text.length % 4 === 1) return null;
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let bits = 0;
  let bit_count = 0;
  let length = 0;
  for (const character of text) {
    const value = BASE64URL.indexOf(character);
    if (value < 0) return null;
    bits = (bits << 6) | value;
    bit_count += 6;
    if (bit_count < 8) continue;
    bit_count -= 8;
    bytes[length] = bits >>> bit_count;
    length += 1;
    bits &= (1 << bit_count) - 1;
  }
  // Otherwise one code could have two texts.
  return bits === 0 ? bytes : null;
}

function encodeCodePoint(code_point: number): number[] {
  if (code_point < 0x80) return [code_point];
  if (code_point < 0x800) return [0xc0 | (code_point >> 6), 0x80 | (code_point & 63)];
  if (code_point < 0x10000) {
    return [0xe0 | (code_point >> 12), 0x80 | ((code_point >> 6) & 63), 0x80 | (code_point & 63)];
  }
  return [
    0xf0 | (code_point >> 18),
    0x80 | ((code_point >> 12) & 63),
    0x80 | ((code_point >> 6) & 63),
    0x80 | (code_point & 63),
  ];
}

/** Returns the UTF-8 of a text; lone surrogates become U+FFFD, as in TextEncoder. */
export function encodeUtf8(text: string): Bytes {
  const bytes: number[] = [];
  for (const character of text) {
    const code_point = character.codePointAt(0) ?? REPLACEMENT;
    bytes.push(...encodeCodePoint(isSurrogate(code_point) ? REPLACEMENT : code_point));
  }
  return Uint8Array.from(bytes);
}

/** Returns the longest prefix of a text that fits into `max_bytes` of UTF-8 and ends between two code points. */
export function truncateUtf8(text: string, max_bytes: number): string {
  let remaining_bytes = max_bytes;
  let prefix = '';
  for (const character of text) {
    remaining_bytes -= encodeUtf8(character).length;
    if (remaining_bytes < 0) break;
    prefix += character;
  }
  return prefix;
}

/** For a lead byte: how many bytes follow, which of its bits count, and the smallest code point of that length. */
function parseLeadByte(byte: number): { continuation_bytes: number; mask: number; min_code_point: number } | null {
  if (byte < 0x80) return { continuation_bytes: 0, mask: 0x7f, min_code_point: 0 };
  if (byte >= 0xc2 && byte < 0xe0) return { continuation_bytes: 1, mask: 0x1f, min_code_point: 0x80 };
  if (byte >= 0xe0 && byte < 0xf0) return { continuation_bytes: 2, mask: 0x0f, min_code_point: 0x800 };
  if (byte >= 0xf0 && byte < 0xf5) return { continuation_bytes: 3, mask: 0x07, min_code_point: 0x10000 };
  return null;
}

/**
 * Returns the text of well-formed UTF-8, or null: refuses overlong forms, surrogates, > U+10FFFF and truncated ends.
 */
export function decodeUtf8(bytes: Uint8Array): string | null {
  let text = '';
  let index = 0;
  while (index < bytes.length) {
    const first = bytes[index] ?? 0;
    const lead = parseLeadByte(first);
    if (!lead) return null;
    let code_point = first & lead.mask;
    for (let offset = 1; offset <= lead.continuation_bytes; offset += 1) {
      const next = bytes[index + offset] ?? 0;
      if ((next & 0xc0) !== 0x80) return null;
      code_point = (code_point << 6) | (next & 63);
    }
    if (code_point < lead.min_code_point || code_point > 0x10ffff || isSurrogate(code_point)) return null;
    text += String.fromCodePoint(code_point);
    index += lead.continuation_bytes + 1;
  }
  return text;
}

/** Writes consecutive fields, big-endian. Throws RangeError for a value that its field cannot hold. */
export class ByteWriter {
  private readonly written: number[] = [];

  u8(value: number): this {
    return this.number(value, 1);
  }

  u32(value: number): this {
    return this.number(value, 4);
  }

  bytes(value: Uint8Array): this {
    this.written.push(...value);
    return this;
  }

  /** One byte of length, then UTF-8. */
  text(value: string): this {
    const bytes = encodeUtf8(value);
    return this.u8(bytes.length).bytes(bytes);
  }

  toBytes(): Bytes {
    return Uint8Array.from(this.written);
  }

  private number(value: number, size: number): this {
    if (!Number.isInteger(value) || value < 0 || value >= 256 ** size) throw new RangeError(`not a u${size * 8}`);
    for (let byte_index = size - 1; byte_index >= 0; byte_index -= 1)
      this.written.push(Math.floor(value / 256 ** byte_index) % 256);
    return this;
  }
}

/** Reads the format of ByteWriter. Never throws: `isComplete()` reports reads past the end and malformed text. */
export class ByteReader {
  private readonly source: Uint8Array;
  private offset = 0;
  private failed = false;

  constructor(source: Uint8Array) {
    this.source = source;
  }

  u8(): number {
    return this.number(1);
  }

  u32(): number {
    return this.number(4);
  }

  bytes(length: number): Bytes {
    const end = this.offset + length;
    const bytes = new Uint8Array(length);
    bytes.set(this.source.subarray(this.offset, end));
    this.offset = end;
    return bytes;
  }

  text(): string {
    const text = decodeUtf8(this.bytes(this.u8()));
    if (text === null) this.failed = true;
    return text ?? '';
  }

  /** Returns true if all texts were well formed and the reads ended exactly at the end of the source. */
  isComplete(): boolean {
    return !this.failed && this.offset === this.source.length;
  }

  private number(size: number): number {
    let value = 0;
    for (const byte of this.bytes(size)) value = value * 256 + byte;
    return value;
  }
}
