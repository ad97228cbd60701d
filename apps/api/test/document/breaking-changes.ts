import type { ApiDocument, JsonSchema, Operation } from '#api/http/document/json-schema.ts';
import { compareSchemas } from './compare-schemas.ts';

/**
 * Returns the changes between two versions of the API that break a client of the older one, one line each.
 * Compatible are an added call, an optional field of a request, a field of a reply and a value of a reply.
 */
export function listBreakingChanges(older: ApiDocument, newer: ApiDocument): string[] {
  return Object.entries(older.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path}`;
      const now = newer.paths[path]?.[method];
      return now ? compareOperations(operation, now).map((change) => `${name}: ${change}`) : [`${name}: removed`];
    }),
  );
}

function compareOperations(older: Operation, newer: Operation): string[] {
  return [
    ...(newer.security && !older.security ? ['needs a token'] : []),
    ...compareParameters(older, newer),
    ...compareBodies(older, newer),
    ...compareReplies(older, newer),
  ];
}

function compareParameters({ parameters: older = [] }: Operation, { parameters: newer = [] }: Operation): string[] {
  const find = (list: typeof older, { name, in: where }: (typeof older)[number]) =>
    list.find((each) => each.name === name && each.in === where);
  const changed = older.flatMap((parameter) => {
    const { name, schema, required } = parameter;
    const now = find(newer, parameter);
    if (!now) return [`parameter ${name} removed`];
    const new_requirement = now.required && !required ? [`parameter ${name} required`] : [];
    return [...new_requirement, ...compareSchemas(schema, now.schema, { side: 'request', at: name })];
  });
  const added = newer.filter((parameter) => parameter.required && !find(older, parameter));
  return [...changed, ...added.map(({ name }) => `parameter ${name} required`)];
}

function compareBodies({ requestBody: older }: Operation, { requestBody: newer }: Operation): string[] {
  const before = older?.content['application/json']?.schema;
  const now = newer?.content['application/json']?.schema;
  if (!before) return now ? ['body required'] : [];
  return now ? compareSchemas(before, now, { side: 'request', at: 'body' }) : ['body removed'];
}

function compareReplies({ responses: older }: Operation, { responses: newer }: Operation): string[] {
  const changes = Object.entries(older).flatMap(([status, { content = {} }]) =>
    Object.entries(content).flatMap(([type, { schema }]) => {
      // A call may gain or lose refusal codes; a code that stays keeps its HTTP status.
      const codes = codesOf(schema);
      if (codes) return listMovedCodes(status, codes, newer);
      const now: JsonSchema | undefined = newer[status]?.content?.[type]?.schema;
      return now ? compareSchemas(schema, now, { side: 'reply', at: 'reply' }) : [`reply ${status} ${type} removed`];
    }),
  );
  return changes;
}

/** Returns the codes of a refusal. */
function codesOf(schema: JsonSchema | undefined): string[] | undefined {
  return schema?.allOf?.find(({ properties }) => properties?.code)?.properties?.code?.enum as string[] | undefined;
}

function listMovedCodes(status: string, codes: string[], newer: Operation['responses']): string[] {
  return codes.flatMap((code) => {
    const now = Object.keys(newer).find((each) =>
      codesOf(newer[each]?.content?.['application/json']?.schema)?.includes(code),
    );
    return now === undefined || now === status ? [] : [`${code}: status ${now} instead of ${status}`];
  });
}
