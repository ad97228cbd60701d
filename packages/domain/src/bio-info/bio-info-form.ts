import { toCentimetres, toFeetAndInches, toKilograms, toPounds, type Units } from '../units.ts';
import { BIO_INFO_BOUNDS } from './bio-info.ts';

/** Body data as it is saved. `male` is null if the user prefers not to say. */
export interface BioInfoValues {
  age: number;
  weight_kg: number;
  height_cm: number;
  male: boolean | null;
}

export type BodyField = keyof typeof BIO_INFO_BOUNDS;
export const BODY_FIELDS = ['age', 'weight_kg', 'height_cm'] as const satisfies readonly BodyField[];

/** The problem of a typed number. */
export type FieldProblem = 'missing' | 'not_a_number' | 'not_whole' | 'out_of_range';

/** The inputs of the form, by the unit of body data. */
export const BODY_INPUTS = {
  kg: ['age', 'weight_kg', 'height_cm'],
  lb: ['age', 'weight_lb', 'height_ft', 'height_in'],
} as const;
export type BodyInput = (typeof BODY_INPUTS)[Units['body']][number];

/** The contents of the inputs, as typed. */
export interface BioInfoDraft extends Partial<Record<BodyInput, string>> {
  male: boolean | null;
}

const INPUTS_OF_FIELDS: Record<Units['body'], Record<BodyField, readonly BodyInput[]>> = {
  kg: { age: ['age'], weight_kg: ['weight_kg'], height_cm: ['height_cm'] },
  lb: { age: ['age'], weight_kg: ['weight_lb'], height_cm: ['height_ft', 'height_in'] },
};

interface InputRange {
  min: number;
  max: number;
  decimals: number;
  /** Its value if nothing was typed; absent: it must be typed. */
  if_empty?: number;
}

const { weight_kg, height_cm } = BIO_INFO_BOUNDS;
const INPUT_RANGES: Record<BodyInput, InputRange> = {
  age: { ...BIO_INFO_BOUNDS.age, decimals: 0 },
  weight_kg: { ...weight_kg, decimals: 1 },
  // The pounds of both ends are rounded into the range.
  weight_lb: { min: toPounds(weight_kg.min), max: toPounds(weight_kg.max), decimals: 1 },
  height_cm: { ...height_cm, decimals: 1 },
  height_ft: { min: 0, max: toFeetAndInches(height_cm.max).feet, decimals: 0 },
  height_in: { min: 0, max: 11, decimals: 0, if_empty: 0 },
};

/**
 * Reads a typed number: accepts a decimal comma, spaces and a trailing unit ('72,5 kg'). Rounds weight and centimetres
 * to one decimal; an age, feet or inches with decimals are a problem, because they are a typing error.
 */
export function parseBodyNumber(input: BodyInput, text: string): number | FieldProblem {
  const { min, max, decimals, if_empty } = INPUT_RANGES[input];
  const typed = text.trim();
  if (typed === '') return if_empty ?? 'missing';
  const match = /^(\d{1,6})(?:[.,](\d{0,6}))?\s*\p{L}*$/u.exec(typed);
  if (!match) return 'not_a_number';
  const value = Number(`${match[1]}.${match[2] || '0'}`);
  if (decimals === 0 && !Number.isInteger(value)) return 'not_whole';
  // Checks the typed value: one slightly out of range must not be rounded into it.
  return value < min || value > max ? 'out_of_range' : Number(value.toFixed(decimals));
}

/** The values with which a form opened, and their draft. */
export interface OpenedForm {
  values: BioInfoValues;
  draft: BioInfoDraft;
}

/** Returns values as a draft. `write` writes a number as it is typed, with at most one decimal. */
export function toBioInfoDraft(
  values: BioInfoValues,
  unit: Units['body'],
  write: (value: number) => string,
): BioInfoDraft {
  const { age, weight_kg, height_cm, male } = values;
  if (unit === 'kg') return { age: write(age), weight_kg: write(weight_kg), height_cm: write(height_cm), male };
  const { feet, inches } = toFeetAndInches(height_cm);
  const weight_lb = write(toPounds(weight_kg));
  return { age: write(age), weight_lb, height_ft: write(feet), height_in: write(inches), male };
}

type DraftProblems = Partial<Record<BodyInput, FieldProblem>>;

/**
 * Returns the values of a draft, or the problem of each input that can't be saved. A field that is still as it was
 * opened keeps its value, whatever the unit in which it is shown rounds away.
 */
export function parseBioInfoDraft(
  draft: BioInfoDraft,
  unit: Units['body'] = 'kg',
  opened: OpenedForm | null = null,
): { values: BioInfoValues } | { problems: DraftProblems } {
  const values: BioInfoValues = { age: 0, weight_kg: 0, height_cm: 0, male: draft.male };
  const problems: DraftProblems = {};
  for (const field of BODY_FIELDS) {
    const inputs = INPUTS_OF_FIELDS[unit][field];
    if (opened && inputs.every((input) => draft[input] === opened.draft[input])) values[field] = opened.values[field];
    else Object.assign(problems, parseField(field, inputs, draft, values));
  }
  return Object.keys(problems).length > 0 ? { problems } : { values };
}

/** Sets the value of a field, or returns the problems of its inputs. */
function parseField(
  field: BodyField,
  inputs: readonly BodyInput[],
  draft: BioInfoDraft,
  values: BioInfoValues,
): DraftProblems {
  const problems: DraftProblems = {};
  const numbers: number[] = [];
  for (const input of inputs) {
    const parsed = parseBodyNumber(input, draft[input] ?? '');
    if (typeof parsed === 'number') numbers.push(parsed);
    else problems[input] = parsed;
  }
  if (numbers.length < inputs.length) return problems;
  const value = toMetric(inputs, numbers);
  const { min, max } = BIO_INFO_BOUNDS[field];
  if (value < min || value > max) return { [inputs[0] ?? field]: 'out_of_range' };
  values[field] = value;
  return {};
}

function toMetric([input]: readonly BodyInput[], [first = 0, second = 0]: readonly number[]): number {
  if (input === 'weight_lb') return toKilograms(first);
  return input === 'height_ft' ? toCentimetres({ feet: first, inches: second }) : first;
}

/** Returns the fields of `edited` that differ from the saved ones; an empty object means nothing to save. */
export function diffBioInfo(saved: BioInfoValues, edited: BioInfoValues): Partial<BioInfoValues> {
  const changes: Partial<BioInfoValues> = {};
  for (const field of BODY_FIELDS) if (saved[field] !== edited[field]) changes[field] = edited[field];
  if (saved.male !== edited.male) changes.male = edited.male;
  return changes;
}

/**
 * Rebases the user's changes on a version that another tab or device saved in between: unchanged fields take the newer
 * value. Without a newer version (deleted) all values are the user's.
 */
export function rebaseBioInfo(
  base: BioInfoValues | null,
  edited: BioInfoValues,
  newer: BioInfoValues | null,
): BioInfoValues {
  if (!newer) return edited;
  const { age, weight_kg, height_cm, male } = newer;
  return { age, weight_kg, height_cm, male, ...(base ? diffBioInfo(base, edited) : edited) };
}
