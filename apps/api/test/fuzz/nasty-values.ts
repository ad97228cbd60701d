import { REFRESH_COOKIE } from '#api/sessions/refresh-cookies.ts';

/** Replaced in the text of a body: JSON that no JavaScript value is written as. */
const RAW = '@raw:';
const raw = (json: string): string => `${RAW}${json}@`;

/** Puts raw JSON in place of its marks. */
export function writeJson(value: unknown): string {
  return (JSON.stringify(value) ?? '').replaceAll(
    /"@raw:(.*?)@"/g,
    (_, json: string) => JSON.parse(`"${json}"`) as string,
  );
}

const numbers = [
  0,
  -1,
  0.1,
  1e308,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  ...['-0', '1e400', '-1e400', '1E+2', '1e-400', '123456789012345678901234567890', '0.30000000000000000000004'].map(
    raw,
  ),
];

const unicode = [
  '\u0000',
  'a\u0000b',
  raw('"\\ud800"'),
  raw('"\\udfff\\ud800"'),
  '\ufeffAda',
  '\u202eadA',
  '\u200b',
  '\u00ad\u2060',
  'I\u0307\u0130ßſﬀ',
  '👩‍👩‍👧‍👦🏳️‍🌈',
  `Z${'\u0351'.repeat(300)}`,
  '\u{10ffff}\ufffe\uffff',
  '\u2028\u2029\u0085\u001b[31m',
  'Å\u0041\u030a',
  '١٢٣',
];

const texts = [
  '',
  ' ',
  'null',
  'NaN',
  '-',
  'a'.repeat(300),
  'a'.repeat(10_000),
  '😀'.repeat(2_000),
  "'; drop table users; --",
  '%00%2e%2e%2f',
  '../../etc/passwd',
  '#{7*7}{{7*7}}<script>alert(1)</script>',
  '\\x41\\',
  '%',
  '_',
  'a,b;c=d\r\nx: y',
  'constructor',
  '__proto__',
];

const times = [
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00.000Z',
  '9999-12-31T23:59:60Z',
  '2026-02-30T00:00:00Z',
  '+020000-01-01T00:00:00Z',
  '2000-01-01T00:00:00Z',
  '2100-12-31T23:59:59.999999999Z',
  '2026-11-28T10:00:00+14:00',
  '2026-11-28',
  'infinity',
  'now',
  '24:00',
  '2026-W53',
  '2026-W00',
  '2099-W53',
  '2000-Q1',
];

const ids = [
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-4fff-bfff-ffffffffffff',
  'FFFFFFFF-FFFF-4FFF-BFFF-FFFFFFFFFFFF',
  '{ffffffff-ffff-4fff-bfff-ffffffffffff}',
  'deleted-user',
  'geonames:9999999999',
  'geonames:0',
  '1e3',
  '0x10',
  '999999999',
  '-999999999.99999999999999999999',
  '180,90,-180,-90',
  '-180,-90,180,90',
  '179.9,0,-179.9,0',
];

const shapes = [
  null,
  true,
  false,
  [],
  {},
  [null],
  [[[]]],
  { a: { b: { c: {} } } },
  raw('{"__proto__":{"x":1}}'),
  deep(19),
  deep(30),
];

function deep(levels: number): unknown {
  return levels === 0 ? 1 : { a: deep(levels - 1) };
}

/** Values that no form sends. */
export const NASTY_VALUES: readonly unknown[] = [...numbers, ...unicode, ...texts, ...times, ...ids, ...shapes];

/** Those that an address can hold. */
export const NASTY_TEXTS: readonly string[] = [...unicode, ...texts, ...times, ...ids].filter(
  (text): text is string => !text.startsWith(RAW) && text.length < 1_000,
);

/** Already encoded, rightly or not. */
export const NASTY_PATHS: readonly string[] = [
  '%',
  '%00',
  '%2f',
  '%2e%2e',
  '%ff',
  '%ed%a0%80',
  '..',
  '.',
  '',
  'a%20b',
  '%252f',
  ';x=1',
  'a'.repeat(255),
];

export const NASTY_HEADERS: readonly Record<string, string>[] = [
  { 'idempotency-key': 'x' },
  { 'idempotency-key': 'ffffffff-ffff-4fff-bfff-ffffffffffff' },
  { 'idempotency-key': 'a'.repeat(5_000) },
  { dpop: 'a.b.c' },
  { dpop: 'e30.e30.e30' },
  { cookie: `${REFRESH_COOKIE}=x; a=%; =;` },
  { cookie: `${REFRESH_COOKIE}=${'a'.repeat(3_000)}; ${REFRESH_COOKIE}=%00` },
  { 'last-event-id': '-1' },
  { 'last-event-id': '1e400' },
  { 'last-event-id': '9'.repeat(300) },
  { authorization: 'Basic YTpi' },
  { authorization: `Bearer ${'a'.repeat(8_000)}` },
  { 'accept-language': 'es;q=x, *;q=-1' },
  { accept: 'image/png' },
  { 'if-none-match': '"x' },
  { origin: 'null', 'sec-fetch-site': 'cross-site' },
  { 'x-forwarded-for': "127.0.0.1, '" },
  { range: 'bytes=-1' },
  { expect: 'x' },
];
