import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadEndpoints, operationOf } from '../apps/api/test/contract-endpoints.ts';
import { definitionOf, type Schema } from '../apps/api/test/schema-definition.ts';
import { listClosedParts } from '../e2e/canaries/closed-parts.ts';
import { FREE_TEXTS } from '../e2e/canaries/free-texts.ts';
import { ROOT } from '../tools/project/project.ts';

/** Texts of a set, and values of other types. */
const NO_TEXTS = ['enum', 'literal', 'number', 'boolean', 'null'];

/** Returns the texts that have no form of their own, by their paths. Throws for a schema that it does not know. */
function listFreeTexts(schema: Schema, path: string[] = []): string[] {
  const { type, format, checks = [], shape, ...inner } = definitionOf(schema);
  if (shape) return Object.entries(shape).flatMap(([name, field]) => listFreeTexts(field, [...path, name]));
  if (inner.element) return listFreeTexts(inner.element, [...path, '[]']);
  if (inner.options) return inner.options.flatMap((option) => listFreeTexts(option, path));
  const one = inner.innerType ?? inner.in;
  if (one) return listFreeTexts(one, path);
  if (NO_TEXTS.includes(type)) return [];
  if (type !== 'string') throw new Error(`${path.join('.')} is of the unknown type ${type}`);
  const has_form = format !== undefined || checks.some((check) => check._zod.def.check === 'string_format');
  return has_form ? [] : [path.join('.')];
}

test("Each free text of a request's body leaves canaries in a channel, or has a reason why no screen shows it", async () => {
  const endpoints = [...(await loadEndpoints()).values()];
  const texts = endpoints.flatMap((endpoint) =>
    endpoint.body ? listFreeTexts(endpoint.body).map((path) => `${operationOf(endpoint)} ${path}`) : [],
  );
  expect([...new Set(texts)].sort()).toEqual(Object.keys(FREE_TEXTS).sort());
});

const SOURCES = join(ROOT, 'apps/web/src');
const PART =
  /<(?:Sheet|ConfirmSheet|ConfirmedButton|ConfirmedAction|MoreButton|details|dialog|[A-Z]\w+\.Root)\b|aria-(?:haspopup|expanded)=/;
/** Forms in the place of a button. */
const FORM = /setEditing\(true\)|setAsked\(/;

test('Each file of the app with a closed part is opened, or has a reason why it shows no text of others', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.tsx') && !path.includes('.test.'))
    .filter((path) => {
      const source = readFileSync(join(SOURCES, path), 'utf8');
      return PART.test(source) || FORM.test(source);
    });
  const rows = listClosedParts({
    center_ids: [],
    activity_ids: [],
    confirmed_id: '',
    chat_ids: [],
    strangers: [],
    codes: [],
  });
  expect(Object.keys(rows).sort()).toEqual(files.sort());
});
