import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BIO_INFO_BOUNDS } from './bio-info.ts';
import {
  type BioInfoValues,
  BODY_FIELDS,
  BODY_INPUTS,
  type BodyInput,
  diffBioInfo,
  parseBioInfoDraft,
  parseBodyNumber,
  rebaseBioInfo,
  toBioInfoDraft,
} from './bio-info-form.ts';

const NORA: BioInfoValues = { age: 34, weight_kg: 61.5, height_cm: 170, male: false };

describe('a typed number is refused', () => {
  test.each<[BodyInput, string, string]>([
    ['age', '', 'missing'],
    ['age', '   ', 'missing'],
    ['weight_kg', 'seventy', 'not_a_number'],
    ['weight_kg', '-70', 'not_a_number'],
    ['weight_kg', '7e1', 'not_a_number'],
    ['weight_kg', '0x50', 'not_a_number'],
    ['weight_kg', '70 kg 5', 'not_a_number'],
    ['weight_kg', '70.5.1', 'not_a_number'],
    ['weight_kg', '.5', 'not_a_number'],
    ['weight_kg', '99999999', 'not_a_number'],
    ['age', '30,5', 'not_whole'],
    ['age', '4', 'out_of_range'],
    ['age', '121', 'out_of_range'],
    ['weight_kg', '19.9', 'out_of_range'],
    ['weight_kg', '19.99', 'out_of_range'],
    ['weight_kg', '400.04', 'out_of_range'],
    ['height_cm', '1.75', 'out_of_range'],
    ['height_cm', '260.1', 'out_of_range'],
    ['weight_lb', '44', 'out_of_range'],
    ['weight_lb', '881.84', 'out_of_range'],
    ['height_ft', '', 'missing'],
    ['height_ft', '5.5', 'not_whole'],
    ['height_ft', '9', 'out_of_range'],
    ['height_in', '6.5', 'not_whole'],
    ['height_in', '12', 'out_of_range'],
  ])('%s %j: %s', (field, text, problem) => {
    expect(parseBodyNumber(field, text)).toBe(problem);
  });
});

describe('a typed number is read', () => {
  test.each<[BodyInput, string, number]>([
    ['age', '34', 34],
    ['age', ' 34 años ', 34],
    ['age', '34.0', 34],
    ['weight_kg', '72,5', 72.5],
    ['weight_kg', '72.5 kg', 72.5],
    ['weight_kg', '72,', 72],
    ['weight_kg', '72.46', 72.5],
    ['height_cm', '172.5', 172.5],
    ['weight_lb', '150,5 lb', 150.5],
    ['height_ft', '5 ft', 5],
    ['height_in', '', 0],
  ])('%s %j: %d', (field, text, value) => {
    expect(parseBodyNumber(field, text)).toBe(value);
  });

  test.each(BODY_FIELDS)('%s at both ends of the plausible range', (field) => {
    const { min, max } = BIO_INFO_BOUNDS[field];
    expect([parseBodyNumber(field, String(min)), parseBodyNumber(field, String(max))]).toEqual([min, max]);
  });
});

test('any input is a problem or a value that the server takes', () => {
  fc.assert(
    fc.property(fc.constantFrom(...BODY_FIELDS), fc.oneof(fc.string(), fc.double().map(String)), (field, text) => {
      const read = parseBodyNumber(field, text);
      if (typeof read !== 'number') return;
      const { min, max } = BIO_INFO_BOUNDS[field];
      expect(read >= min && read <= max).toBe(true);
      if (field === 'age') expect(Number.isInteger(read)).toBe(true);
    }),
  );
});

test('a draft returns the problem of each field, or its values', () => {
  expect(parseBioInfoDraft({ age: '3', weight_kg: '', height_cm: '170', male: null })).toEqual({
    problems: { age: 'out_of_range', weight_kg: 'missing' },
  });
  expect(parseBioInfoDraft({ age: '34', weight_kg: '61,5', height_cm: '170', male: false })).toEqual({ values: NORA });
});

describe('in pounds, feet and inches', () => {
  const draft = { age: '34', weight_lb: '150', height_ft: '5', height_in: '11', male: null };

  test.each([
    ['shorter than the plausible', { height_ft: '1', height_in: '11' }, { height_ft: 'out_of_range' }],
    ['taller than the plausible', { height_ft: '8', height_in: '7' }, { height_ft: 'out_of_range' }],
    ['nothing but an age', { weight_lb: '', height_ft: '' }, { weight_lb: 'missing', height_ft: 'missing' }],
  ])('%s is refused', (_, change, problems) => {
    expect(parseBioInfoDraft({ ...draft, ...change }, 'lb')).toEqual({ problems });
  });

  test('a draft is saved in kilograms and centimetres', () => {
    const values = { age: 34, weight_kg: 68.04, height_cm: 180.34, male: null };
    expect(parseBioInfoDraft(draft, 'lb')).toEqual({ values });
    expect(toBioInfoDraft(values, 'lb', String)).toEqual(draft);
  });
});

describe('no value drifts', () => {
  const write = (value: number) => String(Number(value.toFixed(1)));
  const tenths = ({ min, max }: { min: number; max: number }) =>
    fc.integer({ min: Math.ceil(min * 10), max: Math.floor(max * 10) }).map((value) => value / 10);
  const people = fc.record({
    age: fc.integer(BIO_INFO_BOUNDS.age),
    weight_kg: tenths(BIO_INFO_BOUNDS.weight_kg),
    height_cm: tenths(BIO_INFO_BOUNDS.height_cm),
    male: fc.constant(null),
  });
  const units = fc.constantFrom(...(Object.keys(BODY_INPUTS) as (keyof typeof BODY_INPUTS)[]));

  test('when it is typed, saved and shown again, in any unit', () => {
    fc.assert(
      fc.property(people, units, (typed_by, unit) => {
        const typed = toBioInfoDraft(typed_by, unit, write);
        const parsed = parseBioInfoDraft(typed, unit);
        // Rounded to a whole inch, the smallest and the tallest are beyond the range.
        if ('problems' in parsed) return expect(typed_by.height_cm < 61 || typed_by.height_cm > 259).toBe(true);
        expect(toBioInfoDraft(parsed.values, unit, write)).toEqual(typed);
      }),
    );
  });

  test('when the form is opened in another unit and only the age is changed', () => {
    fc.assert(
      fc.property(people, units, units, (typed_by, unit, other) => {
        const first = parseBioInfoDraft(toBioInfoDraft(typed_by, unit, write), unit);
        if ('problems' in first) return;
        const draft = toBioInfoDraft(first.values, other, write);
        const edited = parseBioInfoDraft({ ...draft, age: '50' }, other, { values: first.values, draft });
        expect(edited).toEqual({ values: { ...first.values, age: 50 } });
      }),
    );
  });
});

test('only different fields are a change', () => {
  expect(diffBioInfo(NORA, NORA)).toEqual({});
  expect(diffBioInfo(NORA, { ...NORA, weight_kg: 60, male: null })).toEqual({ weight_kg: 60, male: null });
});

describe('a change saved on another device', () => {
  test('shows in the fields that the athlete did not touch', () => {
    const newer = { ...NORA, age: 35, weight_kg: 62 };
    expect(rebaseBioInfo(NORA, { ...NORA, weight_kg: 60 }, newer)).toEqual({ ...NORA, age: 35, weight_kg: 60 });
  });

  test('loses against all typed fields if the athlete knew of no saved data', () => {
    expect(rebaseBioInfo(null, NORA, { ...NORA, age: 35 })).toEqual(NORA);
  });

  test('keeps all typed fields when it is a deletion', () => {
    expect(rebaseBioInfo(NORA, { ...NORA, age: 36 }, null)).toEqual({ ...NORA, age: 36 });
  });
});
