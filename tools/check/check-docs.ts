import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from '../project/project.ts';
import {
  findCommandProblem,
  findCommands,
  findDecisionProblems,
  findEnvNames,
  findSettings,
  findStaleFigures,
  findUnknownNames,
  type Project,
  wordsOf,
} from './docs.ts';

const DOCUMENTS = globSync('{*.md,{bench,faults}/*.md,docs/**/*.md}', { cwd: ROOT }).sort();
/** The documents that a reader expects in any project, and the one with the table of settings. */
const OPERATING = 'docs/operating.md';
const REQUIRED = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', OPERATING];
const WORKSPACE_FOLDERS = [
  'packages/domain',
  'packages/contract',
  'packages/center-index',
  'apps/api',
  'apps/web',
  'e2e',
];

type Manifest = { name: string; scripts?: Record<string, string> };

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const hasFile = (path: string): boolean => existsSync(join(ROOT, path));
const manifests = ['.', ...WORKSPACE_FOLDERS].map((folder) => ({
  folder,
  manifest: JSON.parse(read(`${folder}/package.json`)) as Manifest,
}));

const project: Project = {
  hasFile,
  hasScript(script, workspace = '.') {
    const found = manifests.find(({ folder, manifest }) => folder === workspace || manifest.name === workspace);
    return found?.manifest.scripts?.[script] !== undefined;
  },
};

const problems: string[] = [];
for (const document of REQUIRED) if (!DOCUMENTS.includes(document)) problems.push(`${document} is missing`);
for (const document of DOCUMENTS) {
  for (const command of findCommands(read(document))) {
    const problem = findCommandProblem(command, project);
    if (problem) problems.push(`${document}: \`${command.text}\`: ${problem}`);
  }
}

const CODE = [
  '{apps,packages}/*/{src,test,gallery,build}/**/*.{ts,tsx,mjs,js,sql}',
  '{e2e,faults,bench,tools}/**/*.{ts,mjs}',
  '{.,apps/*}/*.{ts,mjs,json}',
  '{deploy,.ci,.github}/**/*',
];
const code_files = globSync(CODE, { cwd: ROOT, withFileTypes: true }).filter((entry) => entry.isFile());
const words = new Set(code_files.flatMap((entry) => wordsOf(readFileSync(join(entry.parentPath, entry.name), 'utf8'))));
for (const document of DOCUMENTS) {
  for (const name of findUnknownNames(read(document), words))
    problems.push(`${document}: \`${name}\` is neither a setting nor in the code`);
}

const settings = hasFile(OPERATING) ? findSettings(read(OPERATING)) : [];
const names = findEnvNames(read('apps/api/src/platform/env.ts'));
for (const name of settings)
  if (!names.includes(name)) problems.push(`${OPERATING}: the setting ${name} is not in env.ts`);
for (const name of names)
  if (!settings.includes(name)) problems.push(`${OPERATING}: the table of settings lacks ${name}`);

const DECISIONS = 'docs/decisions';
const decisions = DOCUMENTS.filter((path) => new RegExp(`^${DECISIONS}/\\d`).test(path));
const files = new Map(decisions.map((path) => [basename(path), read(path)]));
for (const problem of findDecisionProblems(files, read(`${DECISIONS}/README.md`)))
  problems.push(`${DECISIONS}: ${problem}`);

problems.push(...findStaleFigures(read('README.md'), read('faults/README.md')));

for (const problem of problems) console.log(problem);
if (problems.length > 0) process.exitCode = 1;
