import { expect, test } from 'vitest';
import { findCommandProblem, findCommands, findEnvNames, findSettings } from './docs.ts';

const project = {
  hasScript: (script: string, workspace?: string) =>
    workspace === undefined
      ? ['start', 'test', 'bench', 'sendlap'].includes(script)
      : workspace === 'apps/web' && script === 'build',
  hasFile: (path: string) => ['bench/auth-me.ts', 'apps/api/src/cli/centers-import.ts'].includes(path),
};
const faultsOf = (markdown: string) => findCommands(markdown).map((command) => findCommandProblem(command, project));

test.each([
  ['`npm run nothing`', 'no script "nothing"'],
  ['`npm nothing`', 'no script "nothing"'],
  ['```sh\nnpm run deploy && npm start\n```', 'no script "deploy"'],
  ['`npm run build`', 'no script "build"'],
  ['`npm run sendlap -- centers export`', 'no apps/api/src/cli/centers-export.ts'],
  ['`npm run bench -- auth-me nothing`', 'no bench/nothing.ts'],
  ['`npm test -- journeys`', 'no part "journeys"'],
])('%s is a command that does not exist', (markdown, fault) => {
  expect(faultsOf(markdown)[0]).toBe(fault);
});

test('commands that exist pass, with their arguments and placeholders', () => {
  const text = '`npm start`, `npm ci`, `npm run bench`, `npm run bench -- auth-me`, `npm run build -w apps/web`\n';
  const block =
    '```\nnpm test -- e2e main-job # one\nnpm run sendlap -- centers import <file>\nnpm run sendlap -- <noun> <verb>\n```';
  expect(faultsOf(text + block)).toEqual([null, null, null, null, null, null, null]);
});

test('prose about npm is no command', () => {
  expect(findCommands('npm finds it. See npm run.')).toEqual([]);
});

test('only the table under Settings names settings', () => {
  const markdown =
    '# App\n| `NOT_ONE` |\n## Settings\ntext\n\n| name | |\n|---|---|\n| `PORT` | 8000 |\n| `HOST` | x |\n## Next\n| `NOR_THIS` |\n';
  expect(findSettings(markdown)).toEqual(['PORT', 'HOST']);
  expect(findSettings('## Settings\n| `LAST` |')).toEqual(['LAST']);
});

test('settings are the keys of the schema', () => {
  expect(findEnvNames('const A = 1;\n  PORT: z.x(),\n    NESTED: 1,\n  lower: 2,\n  OIDC_ISSUER: y,')).toEqual([
    'PORT',
    'OIDC_ISSUER',
  ]);
});
