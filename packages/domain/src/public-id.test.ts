import { expect, test } from 'vitest';
import { isPublicId } from './public-id.ts';

test.each(['', 'ab', 'a'.repeat(31), 'Ana', 'ana lopez', 'añá', 'ana\n', 'ana/..', 'a@b', 5, null, undefined])(
  'isPublicId refuses %j',
  (value) => {
    expect(isPublicId(value)).toBe(false);
  },
);

test.each(['abc', 'a'.repeat(30), 'ana_lopez', 'ana.lopez-7', '...'])('isPublicId takes %j', (value) => {
  expect(isPublicId(value)).toBe(true);
});
