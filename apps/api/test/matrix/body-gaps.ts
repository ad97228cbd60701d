import { PublicId } from '@sendlap/contract/friends.ts';
import { TownId } from '@sendlap/contract/towns.ts';
import { sql } from 'kysely';
import type { Database } from '#api/database/database.ts';
import { operationOf } from '../contract-endpoints.ts';
import { definitionOf, type Schema } from '../schema-definition.ts';
import { CALLERS, type CallerName, type Someone } from './callers.ts';
import type { Call, Row } from './rules.ts';

/** Ids that are never one of another user, or of a thing that exists, and why. */
const NEVER_OF_ANOTHER: Record<string, string> = {
  'POST /v1/activities/validate: body.op_id': 'each code is sent with a new one; an edit has those of others',
  'PATCH /v1/server: body.town_id': 'towns are of no user',
  'POST /v1/area-loads: body.town_id': 'would read from another server: area-loads.test.ts',
  'POST /v1/street-loads: body.town_id': 'would read from another server: street-loads.test.ts',
};

/** Ids that are never one of nothing, and why. */
const NEVER_OF_NOTHING: Record<string, string> = {
  'PATCH /v1/user-location: body.sport_center_id': 'its POST is called with one',
};

/** Operations that are called with one body, and why. */
const ONE_BODY: Record<string, string> = {
  'POST /v1/auth/oauth/callback/cognito': 'needs an identity provider: `npm run faults -- oauth`',
};

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

interface IdUse {
  is_of_another: boolean;
  is_of_nothing: boolean;
}

/** Which ids of queries and bodies the rows have called, and with how many different bodies. */
export interface BodyUses {
  note(row: Row, caller: CallerName, call: Call, who: Someone | undefined): Promise<void>;
  /** Returns the ids and bodies that are not called as each has to be. */
  findGaps(): string[];
}

export async function openBodyUses(database: Database): Promise<BodyUses> {
  const findRows = await openSearch(database);
  const ids = new Map<string, IdUse>();
  const bodies = new Map<string, Set<string>>();

  async function noteId(name: string, value: string, user_id: string): Promise<void> {
    const use = ids.get(name) ?? { is_of_another: false, is_of_nothing: false };
    ids.set(name, use);
    if (use.is_of_another && use.is_of_nothing) return;
    const rows = await findRows(value);
    if (rows.length === 0) use.is_of_nothing = true;
    else if (!rows.some((text) => text.includes(user_id))) use.is_of_another = true;
  }

  return {
    async note({ endpoint }, caller, { query, body }, who) {
      const operation = operationOf(endpoint);
      const names = [...idsIn(endpoint.query, 'query'), ...idsIn(endpoint.body, 'body')];
      for (const name of names) {
        const key = `${operation}: ${name}`;
        if (!ids.has(key)) ids.set(key, { is_of_another: false, is_of_nothing: false });
        // A caller who is refused before all else says nothing about an id.
        if (CALLERS[caller] !== 'user' || !who) continue;
        for (const value of valuesAt({ query, body }, name.split('.'))) await noteId(key, value, who.user.id);
      }
      if (!endpoint.body) return;
      const shapes = bodies.get(operation) ?? new Set();
      // A body of ids alone differs in its ids, which are noted above.
      if (isOfIdsAlone(endpoint.body)) return;
      bodies.set(
        operation,
        shapes.add(
          JSON.stringify(body ?? null)
            .replace(UUID, 'an id')
            .replace(TIME, 'a time'),
        ),
      );
    },
    findGaps: () => [...findIdGaps(ids), ...findBodyGaps(bodies)],
  };
}

function findIdGaps(ids: Map<string, IdUse>): string[] {
  const wrong = [...ids].flatMap(([name, { is_of_another, is_of_nothing }]) => [
    ...(is_of_another === name in NEVER_OF_ANOTHER
      ? [`${name} is ${is_of_another ? 'now' : 'never'} of another user`]
      : []),
    ...(is_of_nothing === name in NEVER_OF_NOTHING ? [`${name} is ${is_of_nothing ? 'now' : 'never'} of nothing`] : []),
  ]);
  const named = [...Object.keys(NEVER_OF_ANOTHER), ...Object.keys(NEVER_OF_NOTHING)];
  return [...wrong, ...named.filter((name) => !ids.has(name)).map((name) => `an exception for no id: ${name}`)];
}

function findBodyGaps(bodies: Map<string, Set<string>>): string[] {
  const wrong = [...bodies].filter(([operation, { size }]) => size >= 2 === operation in ONE_BODY);
  const named = Object.keys(ONE_BODY).filter((operation) => !bodies.has(operation));
  return [
    ...wrong.map(([operation, { size }]) => `${operation} is called with ${size} different bodies`),
    ...named.map((operation) => `an exception for no body: ${operation}`),
  ];
}

/** Returns the addresses of the ids in a schema: those of ids in lists have that of the list. */
function idsIn(schema: Schema | undefined, address: string): string[] {
  if (!schema) return [];
  if (isId(schema)) return [address];
  const { shape, element, innerType, options = [], in: input } = definitionOf(schema);
  const fields = Object.entries(shape ?? {}).flatMap(([key, field]) => idsIn(field, `${address}.${key}`));
  const inner = [element, innerType, input, ...options].flatMap((part) => idsIn(part, address));
  return [...new Set([...fields, ...inner])];
}

function isId(schema: Schema): boolean {
  if (schema === PublicId || schema === TownId) return true;
  if (definitionOf(schema).type !== 'string') return false;
  return schema.safeParse(crypto.randomUUID()).success && !schema.safeParse('a'.repeat(36)).success;
}

function isOfIdsAlone(schema: Schema): boolean {
  const { shape, element, innerType } = definitionOf(schema);
  if (isId(schema)) return true;
  if (shape) return Object.values(shape).every(isOfIdsAlone);
  const inner = element ?? innerType;
  return inner !== undefined && isOfIdsAlone(inner);
}

function valuesAt(holder: unknown, [key, ...rest]: string[]): string[] {
  if (Array.isArray(holder))
    return holder.flatMap((each) =>
      valuesAt(
        each,
        [key, ...rest].filter((name) => name !== undefined),
      ),
    );
  if (key === undefined) return typeof holder === 'string' ? [holder] : [];
  if (typeof holder !== 'object' || holder === null) return [];
  return valuesAt((holder as Record<string, unknown>)[key], rest);
}

/** Returns a search for the rows of any table that have an id in one of its columns. */
async function openSearch(database: Database): Promise<(id: string) => Promise<string[]>> {
  const { rows: columns } = await sql<{ table_name: string; column_name: string }>`
    select table_name, column_name from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and data_type in ('uuid', 'text')
      and column_name ~ '(^|_)id$'`.execute(database);
  const searches = (id: string) =>
    columns.map(
      ({ table_name, column_name }) =>
        sql`(select to_jsonb(t)::text as text from ${sql.table(table_name)} t where t.${sql.ref(column_name)}::text = ${id} limit 3)`,
    );
  return async (id) => {
    const { rows } = await sql<{ text: string }>`${sql.join(searches(id), sql` union all `)}`.execute(database);
    return rows.map(({ text }) => text);
  };
}
