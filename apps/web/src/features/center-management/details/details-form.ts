import {
  type CenterDetails,
  type CenterDetailsChange,
  isWebAddress,
  MAX_LENGTHS,
  POOL_LENGTH_M,
} from '@sendlap/contract/center-management/center-details.ts';
import { extractPhoneNumbers } from '@sendlap/domain/contact-details.ts';
import { cleanText } from '@sendlap/domain/names.ts';
import { poolMetres, type Units } from '@sendlap/domain/units.ts';

/** The facts that are typed, in the order of the form. */
export const TEXT_FIELDS = ['name', 'address', 'phone', 'url'] as const;
export type TextField = (typeof TEXT_FIELDS)[number];

/** What a manager typed or chose since the form opened; absent: untouched. */
export type Draft = Partial<Record<TextField, string>> & Omit<CenterDetailsChange, TextField>;

export type TextProblem = 'empty' | 'tooLong' | 'noPhone' | 'noAddress';

/** Returns the typed text as it is sent: cleaned, a web address with its scheme, null if it is empty. */
function toFact(field: TextField, typed: string): string | null {
  const text = cleanText(typed);
  if (text === '') return null;
  return field === 'url' && !/^[a-z][a-z\d+.-]*:/i.test(text) ? `https://${text}` : text;
}

/** Returns why a typed text would be refused; null if it is fine. */
export function problemOf(field: TextField, typed: string): TextProblem | null {
  const fact = toFact(field, typed);
  if (fact === null) return field === 'name' ? 'empty' : null;
  if (fact.length > MAX_LENGTHS[field]) return 'tooLong';
  if (field === 'phone' && extractPhoneNumbers(fact) === null) return 'noPhone';
  return field === 'url' && !isWebAddress(fact) ? 'noAddress' : null;
}

/** Returns the change that a draft makes to the facts; without fields that stay as they are. */
export function changeOf(draft: Draft, details: CenterDetails): CenterDetailsChange {
  const texts = Object.fromEntries(
    TEXT_FIELDS.flatMap((field) => {
      const typed = draft[field];
      return typed === undefined ? [] : [[field, toFact(field, typed)]];
    }),
  );
  const { name: _n, address: _a, phone: _p, url: _u, ...rest } = draft;
  const wanted = { ...rest, ...texts };
  return Object.fromEntries(
    Object.entries(wanted).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(Reflect.get(details, field)),
    ),
  );
}

/**
 * Returns the metres of a typed length ('25', '33,33', '25 yd'); null if no pool has it. `unit`: of a number without one.
 */
export function parsePoolLength(typed: string, unit: Units['swimming']): number | null {
  const [, number = '', own_unit] = /^(\d{1,3}(?:[.,]\d{1,2})?)\s*(m|yd)?$/i.exec(typed.trim()) ?? [];
  const value = Number(number.replace(',', '.'));
  const metres = (own_unit?.toLowerCase() ?? unit) === 'yd' ? poolMetres(value) : value;
  return metres >= POOL_LENGTH_M.min && metres <= POOL_LENGTH_M.max ? metres : null;
}
