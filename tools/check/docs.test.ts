import { expect, test } from 'vitest';
import {
  findCommandProblem,
  findCommands,
  findDecisionProblems,
  findEnvNames,
  findSettings,
  findStaleFigures,
  findUnknownNames,
} from './docs.ts';

const project = {
  hasScript: (script: string, workspace?: string) =>
    workspace === undefined
      ? ['start', 'test', 'bench', 'sendlap'].includes(script)
      : workspace === 'apps/web' && script === 'build',
  hasFile: (path: string) => ['bench/auth-me.ts', 'apps/api/src/cli/centers-import.ts'].includes(path),
};
const problemsOf = (markdown: string) => findCommands(markdown).map((command) => findCommandProblem(command, project));

test.each([
  ['`npm run nothing`', 'no script "nothing"'],
  ['`npm nothing`', 'no script "nothing"'],
  ['```sh\nnpm run deploy && npm start\n```', 'no script "deploy"'],
  ['`npm run build`', 'no script "build"'],
  ['`npm run sendlap -- centers export`', 'no apps/api/src/cli/centers-export.ts'],
  ['`npm run bench -- auth-me nothing`', 'no bench/nothing.ts'],
  ['`npm test -- journeys`', 'no part "journeys"'],
])('%s is a command that does not exist', (markdown, fault) => {
  expect(problemsOf(markdown)[0]).toBe(fault);
});

test('commands that exist pass, with their arguments and placeholders', () => {
  const text = '`npm start`, `npm ci`, `npm run bench`, `npm run bench -- auth-me`, `npm run build -w apps/web`\n';
  const block =
    '```\nnpm test -- e2e main-job # one\nnpm run sendlap -- centers import <file>\nnpm run sendlap -- <noun> <verb>\n```';
  expect(problemsOf(text + block)).toEqual([null, null, null, null, null, null, null]);
});

test('prose about npm is not a command', () => {
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

test('a setting or a constant of a document that the code does not have is refused', () => {
  const words = new Set(['DATA_DIR', 'MAX_TRIES']);
  const markdown = 'Set `DATA_DIR/overpass`, `A_SETTING` and `MAX_TRIES`.\n\n```sh\nB_SETTING=1 npm start\n```\n';
  expect(findUnknownNames(markdown, words)).toEqual(['A_SETTING']);
});

test('names in prose and in a block, and those that the document lists as not in the code, pass', () => {
  const markdown = '<!-- not in the code: AN_OLD_ONE, A_SETTING -->\nA_NAME of `NOTIFY`, `AN_OLD_ONE` and `A_SETTING`';
  expect(findUnknownNames(markdown, new Set())).toEqual([]);
});

test('a figure of the first screen is one of the last full run', () => {
  const faults = '| `kill` | nothing is lost | 0 of 4,115 ops |';
  expect(findStaleFigures('`npm run faults -- kill`: 0 of 4,115 ops lost', faults)).toEqual([]);
  expect(findStaleFigures('`npm run faults -- kill`: 0 of 3,856 ops lost', faults)).toEqual([
    'README.md: faults/README.md does not say "0 of 3,856 ops"',
  ]);
});

const DECISION = '# 001 · Do it\n\nDate: 2026-11-21\nStatus: accepted\n\n**Context.**\n';
const INDEX = '| [001] | Do it | 2026-11-21 | accepted |\n\n[001]: 001-do-it.md\n';

test('a decision with a title, a date, a status and its row in the index passes', () => {
  expect(findDecisionProblems(new Map([['001-do-it.md', DECISION]]), INDEX)).toEqual([]);
});

test.each([
  ['another title', DECISION, INDEX.replace('Do it', 'Do that'), ['no row', 'a row for no decision']],
  ['another status', DECISION.replace('accepted', 'superseded by 002'), INDEX, ['no row', 'a row for no decision']],
  ['another file', DECISION, INDEX.replace('do-it.md', 'do.md'), ['no row']],
  ['no date', DECISION.replace('Date', 'Day'), '', ['does not begin']],
  ['an unknown status', DECISION.replace('accepted', 'proposed'), '', ['does not begin']],
  ['another number', DECISION.replace('001', '002'), '', ['does not begin']],
])('a decision with %s is refused', (_name, text, index, problems) => {
  expect(findDecisionProblems(new Map([['001-do-it.md', text]]), index)).toEqual(
    problems.map((problem) => expect.stringContaining(problem)),
  );
});
