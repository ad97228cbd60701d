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

/** The contents of the fields, as typed. */
export interface BioInfoDraft extends Record<BodyField, string> {
  male: boolean | null;
}

const DECIMALS: Record<BodyField, number> = { age: 0, weight_kg: 1, height_cm: 1 };

/**
 * Reads a typed number: accepts a decimal comma, spaces and a trailing unit ('72,5 kg'). Rounds weight and height to
 * one decimal; an age with decimals is a problem, because it is a typing error.
 */
export function parseBodyNumber(field: BodyField, text: string): number | FieldProblem {
  const typed = text.trim();
  if (typed === '') return 'missing';
  const match = /^(\d{1,6})(?:[.,](\d{0,6}))?\s*\p{L}*$/u.exec(typed);
  if (!match) return 'not_a_number';
  const value = Number(`${match[1]}.${match[2] || '0'}`);
  if (DECIMALS[field] === 0 && !Number.isInteger(value)) return 'not_whole';
  const { min, max } = BIO_INFO_BOUNDS[field];
  // Checks the typed value: one slightly out of range must not be rounded into it.
  return value < min || value > max ? 'out_of_range' : Number(value.toFixed(DECIMALS[field]));
}

/** Returns the values of a draft, or the problem of each field that can't be saved. */
export function parseBioInfoDraft(
  draft: BioInfoDraft,
): { values: BioInfoValues } | { problems: Partial<Record<BodyField, FieldProblem>> } {
  const values: BioInfoValues = { age: 0, weight_kg: 0, height_cm: 0, male: draft.male };
  const problems: Partial<Record<BodyField, FieldProblem>> = {};
  for (const field of BODY_FIELDS) {
    const parsed = parseBodyNumber(field, draft[field]);
    if (typeof parsed === 'number') values[field] = parsed;
    else problems[field] = parsed;
  }
  return Object.keys(problems).length > 0 ? { problems } : { values };
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
