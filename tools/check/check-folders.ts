import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../project/project.ts';
import { findFolderProblems } from './folders.ts';
import { findTestHelpers } from './test-helpers.ts';

const sources = new Map<string, string>();
for (const path of globSync('{{apps,packages}/*/{src,test,gallery,build},e2e,tools,bench,faults}/**/*.{ts,tsx,mjs}', {
  cwd: ROOT,
}))
  if (!/\.(?:test|spec)\.tsx?$/.test(path)) sources.set(path, readFileSync(join(ROOT, path), 'utf8'));

const problems = [...findFolderProblems(sources), ...findTestHelpers(sources)];
for (const problem of problems) console.log(problem);
if (problems.length > 0) process.exitCode = 1;
