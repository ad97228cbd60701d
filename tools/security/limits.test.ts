import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../project/project.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const sources = globSync(['apps/api/src/**/*.ts', 'packages/{contract,domain}/src/**/*.ts'], { cwd: ROOT })
  .filter((path) => !path.endsWith('.test.ts'))
  .map(read);

/** Values of the constants of the code, by name. */
const constants = Map.groupBy(
  sources.flatMap((source) => [...source.matchAll(/const ([A-Z][A-Z_]*) = (\d[\d_]*);/g)]),
  ([, name = '']) => name,
);
const valuesOf = (name: string) => constants.get(name)?.map(([, , value = '']) => Number(value.replaceAll('_', '')));

/** Rows of the table "Limits" of SECURITY.md. */
const rows = (/^## Limits\n([\s\S]*?)^## /m.exec(read('SECURITY.md'))?.[1] ?? '')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, limit = '', , names = '']) => ({ limit, names: [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name) }));

/** Limits by the time, the user or the center have these names in the code. */
const LIMIT = /_(?:A_DAY|AN_HOUR|A_MINUTE|PER_USER|A_CLAIMANT|A_CENTER)$/;
const OTHERS = {
  MINUTES_AN_HOUR: 'a unit',
  MINUTES_A_DAY: 'a unit',
  MAX_INTERVALS_A_DAY: 'the form of an input',
  MESSAGES_A_MINUTE: 'the limit of a call',
};

test.each(rows)('SECURITY.md says $limit, as the code does', ({ limit, names }) => {
  const numbers = [...limit.matchAll(/\d[\d,]*/g)].map(([number]) => Number(number.replaceAll(',', '')));
  expect(names.flatMap<number | string>((name = '') => valuesOf(name) ?? [`${name} is missing`])).toEqual(numbers);
});

test('SECURITY.md has each limit of the code, other than those of calls', () => {
  const listed = rows.flatMap(({ names }) => names);
  const named = [...constants.keys()].filter((name) => LIMIT.test(name) && !Object.hasOwn(OTHERS, name));
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !listed.includes(name))).toEqual([]);
});
