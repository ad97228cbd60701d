import { expect, test } from 'vitest';
import { findTestHelpers } from './test-helpers.ts';

const problemsOf = (files: Record<string, string>) => findTestHelpers(new Map(Object.entries(files)));

test.each([
  'packages/domain/src/samples.ts',
  'packages/domain/src/search/samples.ts',
  'apps/api/src/cli/samples.ts',
  'apps/api/src/modules/chats/samples.ts',
  'apps/web/src/shared/ui/Sample.tsx',
])('a file that tests and programs alone import is refused: %s', (file) => {
  const importers = {
    'apps/api/test/scene.ts': `import { A } from '../../../${file}';`,
    'faults/fuzz.ts': `import { A } from '../${file}';`,
    'tools/check.ts': `import { A } from '../${file}';`,
  };
  expect(problemsOf({ [file]: '', ...importers })).toEqual([
    `${file}: the product does not import it: move a helper of tests to a test folder`,
  ]);
});

test('a file that only an unused file imports is refused with it', () => {
  const [unused, helper] = ['apps/web/src/shared/unused.ts', 'packages/domain/src/helper.ts'];
  const problems = problemsOf({ [unused]: "import '@sendlap/domain/helper.ts';", [helper]: '' });
  expect(problems.map((problem) => problem.split(':')[0])).toEqual([unused, helper]);
});

test('files that the product imports pass, and so do declarations of types, and the verbs of the CLI, which are loaded by name', () => {
  expect(
    problemsOf({
      'packages/domain/src/dates.ts': "import('./dates/week.ts');",
      'packages/domain/src/dates/week.ts': '',
      'apps/web/src/main.tsx': "import { today } from '@sendlap/domain/dates.ts';",
      'apps/api/src/cli/main.ts': "import { run } from './command.ts';",
      'apps/api/src/cli/command.ts': '',
      'apps/api/src/cli/users-create.ts': '',
      'apps/api/src/library.d.ts': '',
      'apps/api/src/cli/backup/create.ts': '',
    }),
  ).toEqual([]);
});
