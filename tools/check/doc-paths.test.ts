import { expect, test } from 'vitest';
import { findMissingPaths, type Tree, textOfPicture } from './doc-paths.ts';

const PATHS = ['README.md', 'docs', 'docs/testing.md', 'apps/web/src/shared/outbox', 'apps/api/src/events/events.ts'];
const tree: Tree = {
  paths: PATHS,
  exists: (path) => path === '.ci/run',
  read: (path) =>
    path === 'README.md' ? '## Settings' : '# Testing\n```\n# Not this\n```\n## What `it` shows, and when',
  packages: new Set(['zod']),
};
const problemsOf = (markdown: string, document = 'README.md') => findMissingPaths(document, markdown, tree);

test.each([
  ['a whole path', '`apps/web/src/shared/inbox`'],
  ['a short form', '`shared/inbox`'],
  ['a file with its folder', '`events/nothing.ts`'],
  ['a file without a folder', '`nothing.ts`'],
  ['a part of a name', '`box`/`tbox/outbox`'],
  ['a pattern', '`docs/*.ts`'],
  ['a path that begins with a dot', '`.ci/walk`'],
  ['a code span in a table', '| outbox | `shared/inbox` |'],
])('%s that is missing is refused', (_name, markdown) => {
  expect(problemsOf(markdown)).toEqual([expect.stringMatching(/^1: `.*`: no such file or folder$/)]);
});

test.each([
  ['a link', '[tests](docs/nothing.md)'],
  ['a link with an anchor', '[tests](docs/nothing.md#top)'],
  ['a picture', '![a picture](docs/nothing.svg)'],
  ['the definition of a link', '[001]: docs/nothing.md'],
  ['a link inside the folder', '[up](testing.md)'],
])('%s to nothing is refused', (_name, markdown) => {
  expect(problemsOf(markdown)).toEqual([expect.stringMatching(/^1: link to .*: no such file or folder$/)]);
});

const OUTBOX = 'apps/web/src/shared/outbox';
const CENTERS = 'apps/api/src/modules/sport-centers';
const twins: Tree = {
  ...tree,
  paths: [OUTBOX, `${OUTBOX}/records.ts`, `${OUTBOX}/rows.ts`, CENTERS, `${CENTERS}/read.ts`, `${CENTERS}/rows.ts`],
};
const problemsOfTwins = (markdown: string) => findMissingPaths('README.md', markdown, twins);

test('a file without a folder that another folder than the named one has is refused', () => {
  const sentence = 'A reply comes from\n  `sport-centers/read.ts`\n  and `records.ts`.';
  expect(problemsOfTwins(`1. ${sentence}`)).toEqual([
    `3: \`records.ts\`: none in the folders named beside it, but ${OUTBOX}/records.ts`,
  ]);
  expect(problemsOfTwins(`| ${sentence.replaceAll('\n', ' ')} |`)).toHaveLength(1);
});

test('a short form of several files is refused unless its paragraph or section names the folder', () => {
  const ambiguous = `\`rows.ts\`: one of ${OUTBOX}/rows.ts, ${CENTERS}/rows.ts: name its folder`;
  expect(problemsOfTwins('`rows.ts`')).toEqual([`1: ${ambiguous}`]);
  expect(problemsOfTwins('# One\n`shared/outbox`\n# Two\n`rows.ts`')).toEqual([`4: ${ambiguous}`]);
  expect(problemsOfTwins('In `shared/outbox`, `rows.ts`.')).toEqual([]);
  expect(problemsOfTwins('# One\n`shared/outbox`\n\n`rows.ts`')).toEqual([]);
});

test('a file of the section is fine beside another folder, and a file that one folder has needs no folder', () => {
  expect(problemsOfTwins('`shared/outbox`\n\n`modules/sport-centers`: `records.ts`')).toEqual([]);
  expect(problemsOfTwins('`shared/outbox`\n# Two\n`read.ts`')).toEqual([]);
});

test.each([
  ['of another document', 'docs/testing.md#settings'],
  ['in a code block', 'docs/testing.md#not-this'],
  ['of the same document', '#what-it-shows-and-when'],
])('an anchor without a heading is refused: %s', (_name, target) => {
  expect(problemsOf(`\n[x](${target})`)).toEqual([`2: link to ${target}: no such heading`]);
});

test('an anchor of a heading passes, also with code and commas in it', () => {
  expect(
    problemsOf('[a](#settings), [b](docs/testing.md#testing), [c](docs/testing.md#what-it-shows-and-when)'),
  ).toEqual([]);
});

test('paths from the root, their ends, patterns and links pass', () => {
  const markdown = [
    '`docs/testing.md`, `shared/outbox`, `shared/outbox/`, `events/events.ts`, `docs/*.md`, `.ci/run`',
    '[tests](docs/testing.md#testing), ![](README.md), [here](#settings), [there](https://example.org/x.md)',
    '\n# Events\n`events.ts`',
  ].join('\n');
  expect(problemsOf(markdown)).toEqual([]);
  expect(problemsOf('[up](../README.md), [beside](testing.md)', 'docs/glossary.md')).toEqual([]);
});

test('the path of a call, a package, a setting, generated files, names and sentences are no paths', () => {
  const code = ['/v1/events', 'zod/mini', '@scope/name', 'DATA_DIR/overpass', '.cache/x.json', 'api/dist/a.pmtiles'];
  const words = ['.tsx', 'on/off <file>', 'https://example.org/a.ts', 'call(a/b)', 'Intl.PluralRules', '…/x.ts'];
  expect(problemsOf([...code, ...words].map((text) => `\`${text}\``).join(' '))).toEqual([]);
});

test('code blocks are not read, and do not shift the lines', () => {
  expect(problemsOf('```\n`no/path.ts` [x](no.md)\n```\n\n`no/path.ts`')).toEqual([
    '5: `no/path.ts`: no such file or folder',
  ]);
});

test('files that a guide lets its reader create need not exist, and may', () => {
  expect(problemsOf('<!-- new files: src/a.ts, b.ts -->\n`src/a.ts` `b.ts`')).toEqual([]);
  expect(problemsOf('<!-- new files: events.ts -->\n`events.ts` `c.ts`')).toEqual([
    '2: `c.ts`: no such file or folder',
  ]);
});

test('paths in the texts of a picture are read, and only these', () => {
  const svg =
    '<text x="1.5" y="2">shared/outbox, events/events.ts; POST /v1/sync</text>\n<text>features/‹noun› 1.5</text>\n<text>ops/no.ts:</text>';
  expect(problemsOf(textOfPicture(svg))).toEqual(['3: `ops/no.ts`: no such file or folder']);
});
