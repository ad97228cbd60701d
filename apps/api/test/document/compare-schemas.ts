import type { JsonSchema } from '#api/http/document/json-schema.ts';

interface SchemaLocation {
  /** A request may only accept more, a reply may only promise more. */
  side: 'request' | 'reply';
  /** Path of fields, for the lines. */
  at: string;
}

const LOWER_BOUNDS = ['minimum', 'minLength', 'minItems'] as const;
const UPPER_BOUNDS = ['maximum', 'maxLength', 'maxItems'] as const;

/** Returns the changes of a schema that break a client of the older version, one line each. */
export function compareSchemas(older: JsonSchema, newer: JsonSchema, location: SchemaLocation): string[] {
  const before = variantsOf(older);
  const now = variantsOf(newer);
  if (before.length === 1 && now.length === 1) return compareVariants(before[0] ?? {}, now[0] ?? {}, location);
  const lost = before.flatMap((variant) => compareWithBest(variant, now, location));
  const is_newly_null = location.side === 'reply' && !before.some(isNull) && now.some(isNull);
  return is_newly_null ? [...lost, `${location.at} may be null`] : lost;
}

/** A schema of several types is one variant for each. */
function variantsOf(schema: JsonSchema): JsonSchema[] {
  const { anyOf, oneOf, type } = schema;
  if (anyOf ?? oneOf) return (anyOf ?? oneOf ?? []).flatMap(variantsOf);
  return Array.isArray(type) ? type.map((each) => ({ ...schema, type: each })) : [schema];
}

const isNull = ({ type }: JsonSchema) => type === 'null';

/** The variant that lies nearest is the same one, changed. */
function compareWithBest(variant: JsonSchema, candidates: JsonSchema[], location: SchemaLocation): string[] {
  const same_type = candidates.filter(({ type }) => type === variant.type);
  if (same_type.length === 0) return [`${location.at} is no longer ${nameOf(variant)}`];
  const changes = same_type.map((candidate) => compareVariants(variant, candidate, location));
  return changes.reduce((best, each) => (each.length < best.length ? each : best));
}

const nameOf = ({ type }: JsonSchema) => (type === 'null' ? 'null' : `of type ${String(type)}`);

function compareVariants(older: JsonSchema, newer: JsonSchema, location: SchemaLocation): string[] {
  if (older.type !== newer.type) return [`${location.at} is ${String(newer.type)} instead of ${String(older.type)}`];
  return [
    ...compareEnums(older, newer, location),
    ...(location.side === 'request' ? compareLimits(older, newer, location) : []),
    ...compareFields(older, newer, location),
    ...(older.items ? compareSchemas(older.items, newer.items ?? {}, { ...location, at: `${location.at}[]` }) : []),
  ];
}

function compareEnums(
  { enum: older }: JsonSchema,
  { enum: newer }: JsonSchema,
  { side, at }: SchemaLocation,
): string[] {
  if (older && newer) return older.filter((value) => !newer.includes(value)).map((value) => `${at}: ${value} removed`);
  // A request that took any value now takes these; a reply that promised one of a few promises nothing.
  const is_narrowed = side === 'request' ? newer !== undefined : older !== undefined;
  return older === newer || !is_narrowed ? [] : [`${at}: its values have changed`];
}

function compareLimits(older: JsonSchema, newer: JsonSchema, { at }: SchemaLocation): string[] {
  const lower = LOWER_BOUNDS.filter((bound) => (newer[bound] ?? -Infinity) > (older[bound] ?? -Infinity));
  const upper = UPPER_BOUNDS.filter((bound) => (newer[bound] ?? Infinity) < (older[bound] ?? Infinity));
  // The pattern of a format, such as that of a time, follows from it.
  const text = newer.format === undefined ? 'pattern' : 'format';
  const shape = newer[text] === undefined || newer[text] === older[text] ? [] : ([text] as const);
  return [...lower, ...upper, ...shape].map((limit) => `${at}: ${limit} ${newer[limit]} instead of ${older[limit]}`);
}

function compareFields(older: JsonSchema, newer: JsonSchema, location: SchemaLocation): string[] {
  const { properties: before = {}, required: required_before = [] } = older;
  const { properties: now = {}, required: required_now = [] } = newer;
  const kept = Object.entries(before).flatMap(([field, schema]) => {
    const at = `${location.at}.${field}`;
    const next = now[field];
    if (!next) return [`${at} removed`];
    const is_missing_now = required_before.includes(field) && !required_now.includes(field);
    return [
      ...(location.side === 'reply' && is_missing_now ? [`${at} may be missing`] : []),
      ...compareSchemas(schema, next, { ...location, at }),
    ];
  });
  const demanded = location.side === 'request' ? required_now.filter((field) => !required_before.includes(field)) : [];
  return [...kept, ...demanded.map((field) => `${location.at}.${field} required`)];
}
