import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UserNumbers } from './user-numbers.ts';

describe('UserNumbers', () => {
  it('is empty at first', () => {
    expect(new UserNumbers().find('00000000-0000-0000-0000-000000000000')).toBe(-1);
  });

  it('gives each id one number and gives the ids back, in the order of their text', () => {
    // Ids that differ in only one place, to collide in the hash table.
    const id = fc.oneof(
      fc.uuid(),
      fc.nat(3000).map((number) => `${number.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`),
      fc.nat(3000).map((number) => `ffffffff-0000-4000-8000-${number.toString(16).padStart(12, '0')}`),
    );
    fc.assert(
      fc.property(fc.array(id, { minLength: 1, maxLength: 4000, size: 'max' }), (ids) => {
        const users = new UserNumbers();
        const numbers = ids.map((one) => users.numberOf(one));
        const distinct = [...new Set(ids)];
        expect(users.size).toBe(distinct.length);
        expect(ids.map((one) => users.find(one))).toEqual(numbers);
        expect(numbers.map((number) => users.idOf(number))).toEqual(ids);
        const sorted = distinct.map((one) => users.find(one)).sort((one, other) => users.compare(one, other));
        expect(sorted.map((number) => users.idOf(number))).toEqual(distinct.sort());
      }),
      { numRuns: 20 },
    );
  });
});
