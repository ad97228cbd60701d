import { createHash } from 'node:crypto';
import { EXAMPLE_VALUES } from './example-values.ts';
import type { JsonSchema } from './json-schema.ts';

/** Where a value is in a request or a reply, for the values that depend on it. */
interface Position {
  field: string;
  /** The field that contains it, or else the noun of the path. */
  parent: string;
}

const UUID_PATTERN = '[0-9a-f]{8}-';
/** Fields that say nothing about what they contain. */
const WRAPPERS = new Set(['', 'data', 'items']);
const MOMENT = '2026-11-21T10:00:00.000Z';

/** Returns a value that the schema accepts: of the example values by its field, else by its type. */
export function makeExample(schema: JsonSchema, at: Position): unknown {
  const names = [`${at.parent}.${at.field}`, at.field].filter((name) => Object.hasOwn(EXAMPLE_VALUES, name));
  // A query has its numbers as texts.
  const values = names.flatMap((name) => [EXAMPLE_VALUES[name], String(EXAMPLE_VALUES[name])]);
  const known = values.find((value) => accepts(schema, value));
  if (known !== undefined) return known;
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) return makeExample(variants.find(({ type }) => type !== 'null') ?? {}, at);
  if (schema.enum) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  return makeOfType(schema, at);
}

function makeOfType(schema: JsonSchema, at: Position): unknown {
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return makeObject(schema, at);
    case 'array':
      return Array.from({ length: schema.minItems ?? 1 }, () => makeExample(schema.items ?? {}, at));
    case 'string':
      return makeText(schema, at);
    case 'number':
    case 'integer':
      return Math.max(1, schema.minimum ?? 1);
    case 'boolean':
      return false;
    default:
      return null;
  }
}

function makeObject({ properties = {} }: JsonSchema, { field, parent }: Position): object {
  const fields = Object.entries(properties).map(([name, schema]) => [
    name,
    makeExample(schema, { field: name, parent: WRAPPERS.has(field) ? parent : field }),
  ]);
  return Object.fromEntries(fields);
}

function makeText({ format, pattern }: JsonSchema, at: Position): string {
  if (format === 'date-time') return MOMENT;
  return pattern?.includes(UUID_PATTERN) ? makeUuid(at) : at.field;
}

/** The same thing has the same id everywhere, so that a reader sees which belong together. */
function makeUuid({ field, parent }: Position): string {
  const thing = (field === 'id' ? parent : field).replaceAll('-', '_').replace(/(_?ids?|s)$/, '');
  const hex = createHash('sha256').update(thing).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Whether a simple value fits; the tests check whole examples by the contract. */
function accepts(schema: JsonSchema, value: unknown): boolean {
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) return variants.some((variant) => accepts(variant, value));
  if (schema.enum) return schema.enum.includes(value);
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  if (!types.includes(typeOf(value)) && !(types.includes('integer') && Number.isInteger(value))) return false;
  if (Array.isArray(value)) return value.every((item) => accepts(schema.items ?? {}, item));
  return typeof value !== 'string' || schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(value);
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
