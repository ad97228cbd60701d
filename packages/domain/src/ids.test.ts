import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesToUuid, isUuidV4, uuidToBytes } from './ids.ts';

const ID = '3f2b8c1e-9d4a-4e6f-8a7b-0c1d2e3f4a5b';

test.each([
  ['an empty text', ''],
  ['another version', '3f2b8c1e-9d4a-1e6f-8a7b-0c1d2e3f4a5b'],
  ['another variant', '3f2b8c1e-9d4a-4e6f-ca7b-0c1d2e3f4a5b'],
  ['the nil UUID', '00000000-0000-0000-0000-000000000000'],
  ['a trailing line feed', `${ID}\n`],
  ['braces', `{${ID}}`],
  ['no hyphens', ID.replaceAll('-', '')],
  ['a foreign letter', ID.replace('f', 'g')],
  ['the local prefix', `offline_${ID}`],
  ['no text at all', 7],
  ['nothing', null],
])('isUuidV4 refuses %s', (_, value) => {
  expect(isUuidV4(value)).toBe(false);
});

test('isUuidV4 takes both letter cases', () => {
  expect(isUuidV4(ID)).toBe(true);
  expect(isUuidV4(ID.toUpperCase())).toBe(true);
  for (let round = 0; round < 50; round += 1) expect(isUuidV4(randomUUID())).toBe(true);
});

test('uuidToBytes and bytesToUuid refuse invalid UUIDs', () => {
  expect(() => uuidToBytes('3f2b8c1e')).toThrow(RangeError);
  expect(() => uuidToBytes(ID.replace('f', 'g'))).toThrow(RangeError);
  expect(() => bytesToUuid(new Uint8Array(15))).toThrow(RangeError);
  expect(() => bytesToUuid(new Uint8Array(17))).toThrow(RangeError);
});

test('the bytes of a UUID are in the order in which it is written', () => {
  expect([...uuidToBytes('00010203-0405-4607-8809-0A0B0C0D0EFF')]).toEqual([
    0, 1, 2, 3, 4, 5, 0x46, 7, 0x88, 9, 10, 11, 12, 13, 14, 255,
  ]);
});

test('any UUID comes back from its bytes in lower case', () => {
  fc.assert(fc.property(fc.uuid(), (id) => bytesToUuid(uuidToBytes(id.toUpperCase())) === id));
});
