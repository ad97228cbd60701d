import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../project/project.ts';

/** Last numbers of the requirements of level 1 and of level 2, by section of ASVS 5.0.0. */
const SECTIONS: Record<string, [level_1: string, level_2: string]> = {
  '1.1': ['', '1 2'],
  '1.2': ['1 2 3 4 5', '6 7 8 9'],
  '1.3': ['1 2', '3 4 5 6 7 8 9 10 11'],
  '1.4': ['', '1 2 3'],
  '1.5': ['1', '2'],
  '2.1': ['1', '2 3'],
  '2.2': ['1 2', '3'],
  '2.3': ['1', '2 3 4'],
  '2.4': ['', '1'],
  '3.2': ['1 2', ''],
  '3.3': ['1', '2 3 4'],
  '3.4': ['1 2', '3 4 5 6'],
  '3.5': ['1 2 3', '4 5'],
  '3.7': ['', '1 2'],
  '4.1': ['1', '2 3'],
  '4.2': ['', '1'],
  '4.3': ['', '1 2'],
  '4.4': ['1', '2 3 4'],
  '5.1': ['', '1'],
  '5.2': ['1 2', '3'],
  '5.3': ['1 2', ''],
  '5.4': ['', '1 2 3'],
  '6.1': ['1', '2 3'],
  '6.2': ['1 2 3 4 5 6 7 8', '9 10 11 12'],
  '6.3': ['1 2', '3 4'],
  '6.4': ['1 2', '3 4'],
  '6.5': ['', '1 2 3 4 5'],
  '6.6': ['', '1 2 3'],
  '6.8': ['', '1 2 3 4'],
  '7.1': ['', '1 2 3'],
  '7.2': ['1 2 3 4', ''],
  '7.3': ['', '1 2'],
  '7.4': ['1 2', '3 4 5'],
  '7.5': ['', '1 2'],
  '7.6': ['', '1 2'],
  '8.1': ['1', '2'],
  '8.2': ['1 2', '3'],
  '8.3': ['1', ''],
  '8.4': ['', '1'],
  '9.1': ['1 2 3', ''],
  '9.2': ['1', '2 3 4'],
  '10.1': ['', '1 2'],
  '10.2': ['', '1 2'],
  '10.3': ['', '1 2 3 4'],
  '10.4': ['1 2 3 4 5', '6 7 8 9 10 11'],
  '10.5': ['', '1 2 3 4 5'],
  '10.6': ['', '1 2'],
  '10.7': ['', '1 2 3'],
  '11.1': ['', '1 2'],
  '11.2': ['', '1 2 3'],
  '11.3': ['1 2', '3'],
  '11.4': ['1', '2 3 4'],
  '11.5': ['', '1'],
  '11.6': ['', '1'],
  '12.1': ['1', '2 3'],
  '12.2': ['1 2', ''],
  '12.3': ['', '1 2 3 4'],
  '13.1': ['', '1'],
  '13.2': ['', '1 2 3 4 5'],
  '13.3': ['', '1 2'],
  '13.4': ['1', '2 3 4 5'],
  '14.1': ['', '1 2'],
  '14.2': ['1', '2 3 4'],
  '14.3': ['1', '2 3'],
  '15.1': ['1', '2 3'],
  '15.2': ['1', '2 3'],
  '15.3': ['1', '2 3 4 5 6 7'],
  '16.1': ['', '1'],
  '16.2': ['', '1 2 3 4 5'],
  '16.3': ['', '1 2 3 4'],
  '16.4': ['', '1 2 3'],
  '16.5': ['', '1 2 3'],
  '17.1': ['', '1'],
  '17.2': ['', '1 2 3 4'],
  '17.3': ['', '1 2'],
};
const REQUIRED = Object.entries(SECTIONS).flatMap(([section, levels]) =>
  levels.flatMap((numbers, index) =>
    numbers.split(' ').flatMap((number) => (number ? [`${section}.${number} ${index + 1}`] : [])),
  ),
);
const LINE = /^\| (\d+\.\d+\.\d+) \| ([12]) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/;
/** `path`, perhaps with titles, or a link, whose target `npm run check` looks for. */
const PART = /`([^`]+)`((?: "[^"]+"(?:, "[^"]+")*)?)(?:, |$)|\[[^\]]+\]\([^)]+\)(?:, |$)/g;
/** Of a file with so many tests, those that show a requirement are named. */
const MANY_TESTS = 10;
const TEST = /(?<![\w.])(?:test|it)(?:\.each\b|\()/g;
/** The title of a test or of a group; after a table of cases it follows that. */
const TITLE = /(?:(?<![\w.])(?:test|it|describe)(?:\.\w+)*\(|\)\()\s*(['"`])((?:\\.|(?!\1).)*)\1/g;
/** A table of cases, and the first text of a case; a title that begins with %s begins with that text. */
const CASES = /^(.*?)\)\(\s*['"`]%s/s;
const OTHER_TITLE = /\)\(\s*['"`](?!%s)/;
const CASE = /\[\s*(['"`])((?:\\.|(?!\1).)*)\1/g;
const EVIDENCE = /^(?:.*\.(?:test|spec)\.tsx?|faults\/.*\.ts)$/;

const document = readFileSync(join(ROOT, 'docs/asvs.md'), 'utf8');
const table = document.split('\n').filter((line) => /^\| \d/.test(line));
const lines = table.map((line) => {
  const [, number, level, , verdict = '', shown_by = ''] = LINE.exec(line) ?? [];
  return { line, requirement: `${number} ${level}`, verdict, shown_by };
});

function titlesOf(source: string): string[] {
  const tables = source.split('.each').slice(1);
  const cases = tables.map((table) => CASES.exec(table)?.[1] ?? '').filter((table) => !OTHER_TITLE.test(table));
  const found = [...source.matchAll(TITLE), ...cases.flatMap((table) => [...table.matchAll(CASE)])];
  return found.map(([, , title = '']) => title.replaceAll(/\\(.)/g, '$1'));
}

/** Whether the file is there with tests that begin with these titles; one with many tests needs a title. */
function isThere(path: string, titles: string[]): boolean {
  if (!EVIDENCE.test(path) || !existsSync(join(ROOT, path))) return false;
  const source = readFileSync(join(ROOT, path), 'utf8');
  if (titles.length === 0) return [...source.matchAll(TEST)].length < MANY_TESTS;
  const known = titlesOf(source);
  return titles.every((title) => known.some((one) => one.startsWith(title)));
}

/** Whether the cell lists tests that exist, with titles if it names them or has to, and at most links besides. */
function isShown(cell: string): boolean {
  const parts = [...cell.matchAll(PART)];
  const tests = parts.filter(([, path]) => path !== undefined);
  const are_there = tests.every(([, path = '', named = '']) =>
    isThere(
      path,
      [...named.matchAll(/"([^"]+)"/g)].map(([, title = '']) => title),
    ),
  );
  return parts.map(([part]) => part).join('') === cell && tests.length > 0 && are_there;
}

test.each([
  ['a missing file', '`tools/check/nothing.test.ts`'],
  ['a file that is no test', '`tools/check/docs.ts`'],
  ['a title that the file does not have', '`tools/check/asvs.test.ts` "no such" + "title"'],
  ['a title of another file', '`tools/check/docs.test.ts` "counts its verdicts"'],
  ['a part of a title', '`tools/check/asvs.test.ts` "its verdicts"'],
  ['a text that is no title', '`apps/api/src/modules/auth/session.test.ts` "http://localhost:8000"'],
  ['a second title that the file does not have', '`tools/check/asvs.test.ts` "counts its verdicts", "no such"'],
  ['a file of many tests without a title', '`apps/api/src/modules/auth/session.test.ts`'],
  ['such a file behind another one', '`tools/check/asvs.test.ts`, `apps/api/src/modules/auth/session.test.ts`'],
  ['a link alone', '[SECURITY.md](../SECURITY.md#keys)'],
  ['words', '`tools/check/asvs.test.ts`, and more'],
])('%s does not show a requirement', (_name, cell) => {
  expect(isShown(cell)).toBe(false);
});

test.each([
  ['a file of few tests', '`tools/check/asvs.test.ts`'],
  ['the beginning of a title', '`tools/check/asvs.test.ts` "counts its", `faults/fuzz.ts`'],
  ['titles of a test, of a group and of a table', '`tools/check/asvs.test.ts` "counts", "docs/asvs.md", "%s shows"'],
  ['a case of a table', '`tools/check/asvs.test.ts` "a case of", [SECURITY.md](../SECURITY.md#keys)'],
])('%s shows a requirement', (_name, cell) => {
  expect(isShown(cell)).toBe(true);
});

test('the list of requirements is the one of the standard: 70 of level 1, 183 of level 2', () => {
  const ofLevel = (level: string) => REQUIRED.filter((requirement) => requirement.endsWith(` ${level}`)).length;
  expect([ofLevel('1'), ofLevel('2')]).toEqual([70, 183]);
});

describe('docs/asvs.md', () => {
  test('has each requirement of levels 1 and 2 once, with its level', () => {
    expect(lines.map(({ requirement }) => requirement).sort()).toEqual(REQUIRED.toSorted());
  });

  test('names existing tests or fault programs beside each requirement that is kept, with titles that they have', () => {
    const kept = lines.filter(({ verdict }) => verdict === 'kept');
    const unshown = kept.filter(({ shown_by }) => !isShown(shown_by));
    expect(unshown).toEqual([]);
  });

  test('gives every other one a reason, and each departure the work that it takes, unless it refers to another', () => {
    const others = lines.filter(({ verdict }) => verdict !== 'kept');
    expect(others.filter(({ verdict }) => !['departs', 'does not apply'].includes(verdict))).toEqual([]);
    const departures = others.filter(({ verdict }) => verdict === 'departs');
    expect(departures.filter(({ shown_by }) => !/It takes |see \d/.test(shown_by))).toEqual([]);
  });

  test('counts its verdicts', () => {
    const count = (verdict: string) => lines.filter((line) => line.verdict === verdict).length;
    const counts = `${count('kept')} kept, ${count('departs')} depart, ${count('does not apply')} do not apply`;
    expect(document.replaceAll('\n', ' ')).toContain(counts);
  });
});
