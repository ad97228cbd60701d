import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BIO_INFO_BOUNDS } from './bio-info.ts';
import {
  type BioInfoValues,
  BODY_FIELDS,
  type BodyField,
  diffBioInfo,
  parseBioInfoDraft,
  parseBodyNumber,
  rebaseBioInfo,
} from './bio-info-form.ts';

const NORA: BioInfoValues = { age: 34, weight_kg: 61.5, height_cm: 170, male: false };

describe('a typed number is refused', () => {
  test.each<[BodyField, string, string]>([
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
  ])('%s %j: %s', (field, text, problem) => {
    expect(parseBodyNumber(field, text)).toBe(problem);
  });
});

describe('a typed number is read', () => {
  test.each<[BodyField, string, number]>([
    ['age', '34', 34],
    ['age', ' 34 años ', 34],
    ['age', '34.0', 34],
    ['weight_kg', '72,5', 72.5],
    ['weight_kg', '72.5 kg', 72.5],
    ['weight_kg', '72,', 72],
    ['weight_kg', '72.46', 72.5],
    ['height_cm', '172.5', 172.5],
  ])('%s %j: %d', (field, text, value) => {
    expect(parseBodyNumber(field, text)).toBe(value);
  });

  test.each(BODY_FIELDS)('%s at both ends of the plausible range', (field) => {
    const { min, max } = BIO_INFO_BOUNDS[field];
    expect([parseBodyNumber(field, String(min)), parseBodyNumber(field, String(max))]).toEqual([min, max]);
  });
});

test('whatever is typed, it is a problem or a value that the server takes', () => {
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

test('only what differs is a change', () => {
  expect(diffBioInfo(NORA, NORA)).toEqual({});
  expect(diffBioInfo(NORA, { ...NORA, weight_kg: 60, male: null })).toEqual({ weight_kg: 60, male: null });
});

describe('a change saved on another device', () => {
  test('stays in the fields that the person did not touch', () => {
    const newer = { ...NORA, age: 35, weight_kg: 62 };
    expect(rebaseBioInfo(NORA, { ...NORA, weight_kg: 60 }, newer)).toEqual({ ...NORA, age: 35, weight_kg: 60 });
  });

  test('gives way to all that was typed when the person knew of nothing saved', () => {
    expect(rebaseBioInfo(null, NORA, { ...NORA, age: 35 })).toEqual(NORA);
  });

  test('leaves all that was typed when it was deleted', () => {
    expect(rebaseBioInfo(NORA, { ...NORA, age: 36 }, null)).toEqual({ ...NORA, age: 36 });
  });
});
