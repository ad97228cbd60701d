import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { withoutServerFacts } from './leave-out-server-facts.ts';

const CONTRACT = fileURLToPath(new URL('../../../packages/contract/src/', import.meta.url));
/** How the formatter writes an endpoint, and a field of it. */
const ENDPOINT = /= endpoint\(\{.*?^ *\}\);/gms;
const LEFT_OUT = /^ {2}(summary|params|query|body|status|limit|errors|while_locked):/m;

test('no endpoint of the contract keeps fields that only the server reads, however it is written', () => {
  const sources = globSync('**/*.ts', { cwd: CONTRACT }).map((path) => readFileSync(`${CONTRACT}${path}`, 'utf8'));
  const listEndpoints = (source: string) => source.match(ENDPOINT) ?? [];
  const whole = sources.flatMap(listEndpoints);
  expect(whole.length).toBeGreaterThan(100);
  expect(whole.filter((endpoint) => !LEFT_OUT.test(endpoint))).toEqual([]);
  const lean = sources.map(withoutServerFacts).flatMap(listEndpoints);
  expect(lean.length).toBe(whole.length);
  expect(lean.filter((endpoint) => LEFT_OUT.test(endpoint))).toEqual([]);
});

test('an endpoint keeps the fields that a caller needs, and other objects keep all', () => {
  const source = `export const page = { limit: 20, query: 'é' };
export const get = endpoint({
  method: 'GET',
  path: '/v1/a/:id', // the id
  summary:
    'A text, with a comma',
  params: z.object({ id: Uuid }),
  body: z.strictObject({ a: z.optional(z.string()) }).check(
    z.refine(({ a }) => a !== '', { path: ['a'] }),
  ),
  max_body_bytes: 9,
  data: z.object({ limit: z.number() }),
  errors: ['not_found'],
});
export const last = 1;
`;
  expect(withoutServerFacts(source).replaceAll(/\s+/g, ' ').trim()).toBe(
    "export const page = { limit: 20, query: 'é' }; export const get = endpoint({ method: 'GET', path: '/v1/a/:id', // the id max_body_bytes: 9, data: z.object({ limit: z.number() }), }); export const last = 1;",
  );
});
