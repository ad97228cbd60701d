import { numberFormat } from './formats.ts';

/** An ICU message as the build compiles it: a text without values, or its parts in order. */
export type Message = string | Part[];
export type Part =
  | string
  | [value: string]
  | [value: string, kind: 'number']
  /** A plural: its forms by exact count (`=0`) and by the language's categories, always with `other`. */
  | [value: string, forms: Record<string, Message>];
/** The compiled messages of one noun. */
export type Catalog = { [key: string]: Message | Catalog };

export type Values = Readonly<Record<string, string | number>>;

const plural_rules = new Map<string, Intl.PluralRules>();

/** Formats a message with its values by the rules of a locale. Omits missing values. */
export function formatMessage(message: Message, values: Values, locale: string): string {
  if (typeof message === 'string') return message;
  return message.map((part) => formatPart(part, values, locale)).join('');
}

/** Returns the compiled message of a key such as `scan.title`; null if it is missing. */
export function findMessage(catalog: Catalog | undefined, key: string): Message | null {
  let found: Message | Catalog | undefined = catalog;
  for (const name of key.split('.')) {
    if (typeof found !== 'object' || Array.isArray(found) || !Object.hasOwn(found, name)) return null;
    found = found[name];
  }
  return typeof found === 'string' || Array.isArray(found) ? found : null;
}

function formatPart(part: Part, values: Values, locale: string): string {
  if (typeof part === 'string') return part;
  const [name, kind] = part;
  const value = values[name];
  if (value === undefined) return '';
  if (kind === undefined) return isolate(String(value));
  if (kind === 'number') return numberFormat(locale).format(Number(value));
  const form = kind[`=${value}`] ?? kind[pluralRules(locale).select(Number(value))] ?? kind.other ?? '';
  return formatMessage(form, values, locale);
}

/** Letters that are written from right to left, and marks that change the direction. */
const TURNS = /[\u0590-\u08ff\u202a-\u202e\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Keeps a name that is written from right to left from turning the words and numbers around it (UAX #9, isolates). */
export function isolate(text: string): string {
  return TURNS.test(text) ? `\u2068${text}\u2069` : text;
}

function pluralRules(locale: string): Intl.PluralRules {
  const rules = plural_rules.get(locale) ?? new Intl.PluralRules(locale);
  plural_rules.set(locale, rules);
  return rules;
}
