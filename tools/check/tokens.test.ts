import { expect, test } from 'vitest';
import { applyExceptions, findRawValues, readTokens } from './tokens.ts';

const TOKENS = readTokens(
  '@theme { --radius-*: initial; --radius-sm: 8px; --text-label: 0.9375rem; --color-ink: #111; }',
);
const find = (text: string, file = 'Card.tsx') => findRawValues(file, text, TOKENS);

test.each([
  ["const color = '#ff0000';", '#ff0000'],
  ['<p className="text-[#f00] p-2">', '#f00'],
  ['<path fill="#abcdef" />', '#abcdef'],
  ['<p className="bg-[rgb(10_20_30)]">', 'rgb(10'],
  ["style={{ color: 'hsl(12 50% 50%)' }}", 'hsl(12'],
  ["const GREEN = 'oklch(0.66 0.09 150)';", 'oklch(0.66'],
  ['<p className="hover:bg-red-500">', 'red-500'],
  ['<p className="border-t-gray-200/50">', 'gray-200'],
])('a planted raw colour is refused in %s', (source, value) => {
  expect(find(`first();\n${source}`)).toContain(`2: ${value}: use a token --color-…`);
});

test.each([
  ['a {\n  color: salmon;\n}', 'salmon'],
  ['a {\n  border: 1px solid red;\n}', 'red'],
  ['a {\n  box-shadow: 0 1px 2px rgb(0 0 0 / 0.5);\n}', 'rgb(0'],
  ['a {\n  background: linear-gradient(#fff, transparent);\n}', '#fff'],
])('a planted raw colour is refused in a style sheet: %s', (source, value) => {
  expect(find(source, 'map.css')).toEqual([`2: ${value}: use a token --color-…`]);
});

test.each([
  ['<p className="text-[0.9375rem]">', '1: 0.9375rem: use --text-label'],
  ['<p className="wide:text-[19px]">', '1: 19px: use a token --text-…'],
  ['<p className="rounded-[8px]">', '1: 8px: use --radius-sm'],
  ['<p className="rounded-t-[3px]">', '1: 3px: use a token --radius-…'],
  ['<p className="rounded-2xl">', '1: 2xl: use a radius: sm, full, none'],
  ["style={{ fontSize: '13px' }}", '1: 13px: use a token --text-…'],
])('a text size or radius that is no token is refused in %s', (source, problem) => {
  expect(find(source)).toContain(problem);
});

test.each(['font-size: 1rem', 'border-radius: 4px'])('%s is refused in a style sheet', (rule) => {
  expect(find(`a {\n  ${rule};\n}`, 'tour.css')).toHaveLength(1);
});

test.each([
  '<p className="bg-surface text-label rounded-sm rounded-full rounded-t-sm text-(--x)">',
  '<p className="text-[clamp(60px,22vw,112px)] text-[min(2.5rem,23cqi)]">',
  "import { x } from '#web/shared/paths.ts';",
  'class Queue { #add = 1; get() { return this.#add; } }',
  '// The colour #ff0000, or rgb(1 2 3), was here.',
  ['const text = `rgb($', '{red}, $', '{green})`;'].join(''),
  '<Link href="#top">red</Link>',
])('%s is fine', (source) => {
  expect(find(source)).toEqual([]);
});

test('tokens, full circles and words are fine in a style sheet', () => {
  const css =
    'a {\n  color: var(--color-ink);\n  border-radius: 999px;\n  font-size: var(--text-label);\n  --red: 1;\n}';
  expect(find(css, 'tour.css')).toEqual([]);
});

test('an exception covers its value in its file only, and one that nothing needs is reported', () => {
  const exceptions = [{ file: 'theme.ts', values: ['#f8f6f3', '#171513'], reason: 'no variables' }];
  const problems = new Map([
    ['theme.ts', ['1: #f8f6f3: use a token --color-…']],
    ['other.ts', ['1: #f8f6f3: use a token --color-…']],
  ]);
  expect(applyExceptions(problems, exceptions)).toEqual([
    'other.ts:1: #f8f6f3: use a token --color-…',
    'theme.ts: #171513 is gone, so its exception is too',
  ]);
});
