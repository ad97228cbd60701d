import fc from 'fast-check';
import { definitionOf, type Schema } from '../schema-definition.ts';

/** Ids and names of the world, by the name of the field that takes them. */
export type Pool = Readonly<Record<string, readonly string[]>>;

const TEXTS = [
  ...['climbing', 'swimming', 'en', 'es', 'ES', 'true', 'false', 'week', 'all', 'friends', 'name', 'distance'],
  ...['1', '20', '43.26', '-2.93', '-2.95,43.2,-2.9,43.3', '2026-W48', '2026-Q4', '07:30', '22:00', '2026-12-24'],
  ...[
    'Ada',
    'Polideportivo',
    'Bilbao',
    'a@example.org',
    'https://center.invalid/a',
    '+34 948 000 001',
    'Europe/Madrid',
  ],
  ...['12345678', 'ada-lovelace', 'geonames:3128026', 'aaaabbbbcccc', 'https://push.invalid/a'],
  ...['AAAAAAAAAAAAAAAAAAAAAA', 'B'.repeat(87), 'Hello, world'],
];
const NUMBERS = [0, 1, 2, 5, 10, 25, 30, 43.26, 60, 61.5, 100, 170, 500, 1_000, 3_600, 20_000];

/** About the real time, as the server's clock: a seed repeats how long ago. */
const recent = fc.integer({ min: -7_200, max: 60 }).map((s) => new Date(Date.now() + s * 1000).toISOString());

/** Values that this schema accepts, as a client sends them; with ids of the world where they fit. */
export function validValue(schema: Schema, pool: Pool, key = ''): fc.Arbitrary<unknown> {
  const { type, shape, element, innerType, options, entries, values, ...rest } = definitionOf(schema);
  if (shape) return validObject(shape, pool);
  if (element) return fc.array(validValue(element, pool, key), { minLength: 1, maxLength: type === 'array' ? 7 : 1 });
  if (innerType) return maybe(type, validValue(innerType, pool, key));
  if (options) return fc.oneof(...options.map((option) => validValue(option, pool, key)));
  if (entries) return fc.constantFrom(...Object.values(entries));
  if (values) return fc.constantFrom(...values);
  if (rest.in) return validValue(rest.in, pool, key);
  if (type === 'boolean') return fc.boolean();
  if (type === 'number') return accepted(schema, NUMBERS, fc.integer({ min: 1, max: 100 }));
  return validText(schema, pool, key);
}

function maybe(type: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  if (type === 'nullable') return fc.option(value, { freq: 4 });
  return type === 'optional' || type === 'default' ? fc.option(value, { nil: undefined, freq: 1 }) : value;
}

function validObject(shape: Record<string, Schema>, pool: Pool): fc.Arbitrary<unknown> {
  const fields = Object.entries(shape).map(([key, schema]) => [key, validValue(schema, pool, key)] as const);
  return fc.record(Object.fromEntries(fields));
}

function validText(schema: Schema, pool: Pool, key: string): fc.Arbitrary<unknown> {
  // The next page is asked for by a text of the server's; any other is refused before all else.
  if (key === 'cursor') return fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, fc.constantFrom(...TEXTS));
  const known = (pool[key] ?? []).filter((text) => schema.safeParse(text).success);
  const other = validOther(schema);
  return known.length > 0 ? fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...known) }, other) : other;
}

function validOther(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.safeParse(new Date().toISOString()).success && !schema.safeParse('Ada').success) return recent;
  const id = fc.uuid({ version: 4 });
  return schema.safeParse(crypto.randomUUID()).success && !schema.safeParse('Ada').success
    ? id
    : accepted(schema, TEXTS, id);
}

/** Those of the candidates that the schema accepts; if it accepts none, some other value. */
function accepted(schema: Schema, candidates: readonly unknown[], other: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const fitting = candidates.filter((value) => schema.safeParse(value).success);
  return fitting.length > 0 ? fc.constantFrom(...fitting) : other;
}
