import { Buffer } from 'node:buffer';
import { TextDecoder, TextEncoder } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ByteReader, ByteWriter, decodeUtf8, encodeUtf8, fromBase64Url, toBase64Url, truncateUtf8 } from './bytes.ts';

const bytes = fc.uint8Array({ maxLength: 200 });
const anyText = fc.string({ unit: 'binary', maxLength: 60 });

/** The platform's own decoder as the reference. */
function decodeAsPlatform(value: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(value);
  } catch {
    return null;
  }
}

describe('base64url', () => {
  test.each([
    ['padding', 'AA=='],
    ['the other alphabet', 'a+b/'],
    ['a space', 'AA A'],
    ['a line feed', 'AAAA\n'],
    ['a length that no bytes have', 'AAAAA'],
    ['bits after the last of one byte', 'AB'],
    ['bits after the last of two bytes', 'AAB'],
    ['a letter outside ASCII', 'AAAé'],
    ['an emoji', '😀😀'],
  ])('fromBase64Url refuses %s', (_, text) => {
    expect(fromBase64Url(text)).toBeNull();
  });

  test('no bytes become an empty text', () => {
    expect(toBase64Url(new Uint8Array())).toBe('');
    expect(fromBase64Url('')).toEqual(new Uint8Array());
  });

  test('it writes the same text as the platform and reads it back', () => {
    fc.assert(
      fc.property(bytes, (value) => {
        const text = toBase64Url(value);
        expect(text).toBe(Buffer.from(value).toString('base64url'));
        expect(fromBase64Url(text)).toEqual(new Uint8Array(value));
      }),
    );
  });

  test('every text that it reads is the only text of its bytes', () => {
    const letters = fc.constantFrom(...'ABCDwxyz0189-_=+/ ');
    fc.assert(
      fc.property(fc.string({ unit: letters, maxLength: 9 }), (text) => {
        const read = fromBase64Url(text);
        expect(read === null || toBase64Url(read) === text).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('UTF-8', () => {
  test.each([
    ['an overlong slash', [0xc0, 0xaf]],
    ['an overlong slash in three', [0xe0, 0x80, 0xaf]],
    ['an overlong slash in four', [0xf0, 0x80, 0x80, 0xaf]],
    ['an overlong null', [0xc1, 0x80]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['the last surrogate', [0xed, 0xbf, 0xbf]],
    ['beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
    ['five bytes', [0xf8, 0x88, 0x80, 0x80, 0x80]],
    ['a lone follower', [0x80]],
    ['a cut-off end', [0xe2, 0x82]],
    ['an invalid follower', [0xc3, 0x28]],
  ])('decodeUtf8 refuses %s', (_, value) => {
    expect(decodeUtf8(Uint8Array.from(value))).toBeNull();
  });

  test('the ends of each length are read back', () => {
    const text = '\u0000\u007f\u0080\u07ff\u0800\ud7ff\ue000\uffff\u{10000}\u{10ffff}';
    expect(decodeUtf8(encodeUtf8(text))).toBe(text);
  });

  test('any text is written as the platform writes it, lone surrogates included', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.constantFrom('\ud800', 'a\udc00b', '😀\ud83d')), (text) => {
        expect([...encodeUtf8(text)]).toEqual([...new TextEncoder().encode(text)]);
      }),
    );
  });

  test('any bytes are read as the platform reads them', () => {
    const nasty = fc.array(
      fc.constantFrom(0x00, 0x41, 0x80, 0x9f, 0xa0, 0xbf, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xff),
      {
        maxLength: 6,
      },
    );
    fc.assert(
      fc.property(nasty, (list) => {
        expect(decodeUtf8(Uint8Array.from(list))).toBe(decodeAsPlatform(Uint8Array.from(list)));
      }),
      { numRuns: 5000 },
    );
  });

  test('truncateUtf8 ends between two code points', () => {
    expect(truncateUtf8('Málaga', 2)).toBe('M');
    expect(truncateUtf8('Málaga', 3)).toBe('Má');
    expect(truncateUtf8('ab😀', 5)).toBe('ab');
    expect(truncateUtf8('ab😀', 6)).toBe('ab😀');
    expect(truncateUtf8('ab', 0)).toBe('');
  });

  test('truncateUtf8 keeps the longest beginning that fits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), fc.nat(40), (text, max_bytes) => {
        const kept = truncateUtf8(text, max_bytes);
        expect(text.startsWith(kept)).toBe(true);
        expect(encodeUtf8(kept).length).toBeLessThanOrEqual(max_bytes);
        const next = [...text.slice(kept.length)][0];
        if (next !== undefined) expect(encodeUtf8(kept + next).length).toBeGreaterThan(max_bytes);
      }),
    );
  });
});

describe('reader and writer', () => {
  test('the writer refuses numbers that do not fit', () => {
    for (const value of [-1, 256, 1.5, Number.NaN]) expect(() => new ByteWriter().u8(value)).toThrow(RangeError);
    for (const value of [-1, 2 ** 32, 0.5]) expect(() => new ByteWriter().u32(value)).toThrow(RangeError);
    expect(() => new ByteWriter().text('a'.repeat(256))).toThrow(RangeError);
  });

  test('the reader says when bytes are missing, left over or no text', () => {
    const missing = new ByteReader(Uint8Array.of(1, 2, 3));
    missing.u32();
    expect(missing.isComplete()).toBe(false);

    const over = new ByteReader(Uint8Array.of(1, 2));
    over.u8();
    expect(over.isComplete()).toBe(false);

    const bad = new ByteReader(Uint8Array.of(1, 0xff));
    expect(bad.text()).toBe('');
    expect(bad.isComplete()).toBe(false);
  });

  test('numbers are big-endian', () => {
    expect([...new ByteWriter().u32(0x01020304).u8(0xff).toBytes()]).toEqual([1, 2, 3, 4, 255]);
    expect(new ByteReader(Uint8Array.of(0xff, 0xff, 0xff, 0xfe)).u32()).toBe(0xffff_fffe);
  });

  test('written values are read back', () => {
    fc.assert(
      fc.property(fc.nat(255), fc.nat(2 ** 31), anyText, bytes, (small, large, text, rest) => {
        const kept = truncateUtf8(text, 255);
        const reader = new ByteReader(new ByteWriter().u8(small).u32(large).text(kept).bytes(rest).toBytes());
        expect([reader.u8(), reader.u32(), reader.text()]).toEqual([small, large, kept.toWellFormed()]);
        expect(reader.isComplete()).toBe(rest.length === 0);
        expect(reader.bytes(rest.length)).toEqual(new Uint8Array(rest));
        expect(reader.isComplete()).toBe(true);
      }),
    );
  });
});
