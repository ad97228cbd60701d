import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findCommandProblem, findCommands, findEnvNames, findSettings, type Project } from './docs.ts';
import { ROOT } from './project.ts';

const DOCUMENTS = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...globSync('docs/how-to/*.md', { cwd: ROOT })];
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
for (const document of DOCUMENTS) {
  if (!hasFile(document)) {
    problems.push(`${document} is missing`);
    continue;
  }
  for (const command of findCommands(read(document))) {
    const problem = findCommandProblem(command, project);
    if (problem) problems.push(`${document}: \`${command.text}\`: ${problem}`);
  }
}

const settings = hasFile('README.md') ? findSettings(read('README.md')) : [];
const names = findEnvNames(read('apps/api/src/platform/env.ts'));
for (const name of settings)
  if (!names.includes(name)) problems.push(`README.md: the setting ${name} is not in env.ts`);
for (const name of names) if (!settings.includes(name)) problems.push(`README.md: the table of settings lacks ${name}`);

for (const problem of problems) console.log(problem);
if (problems.length > 0) process.exitCode = 1;
