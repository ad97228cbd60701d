import { expect, test } from 'vitest';
import { findMissingPaths, type Tree, textOfPicture } from './doc-paths.ts';

const PATHS = ['README.md', 'docs', 'docs/testing.md', 'apps/web/src/shared/outbox', 'apps/api/src/events/events.ts'];
const tree: Tree = {
  paths: PATHS,
  exists: (path) => path === '.ci/run',
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

test('paths from the root, their ends, patterns and links pass', () => {
  const markdown = [
    '`docs/testing.md`, `shared/outbox`, `shared/outbox/`, `events.ts`, `docs/*.md`, `.ci/run`',
    '[tests](docs/testing.md#top), ![](README.md), [here](#settings), [there](https://example.org/x.md)',
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
    '<text x="1.5" y="2">shared/outbox, events.ts; POST /v1/sync</text>\n<text>features/‹noun› 1.5</text>\n<text>ops/no.ts:</text>';
  expect(problemsOf(textOfPicture(svg))).toEqual(['3: `ops/no.ts`: no such file or folder']);
});
