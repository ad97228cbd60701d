import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findRoomProblems } from './folders.ts';
import { ROOT } from './project.ts';

const sources = new Map<string, string>();
for (const path of globSync('{apps,packages}/*/src/**/*.{ts,tsx}', { cwd: ROOT }))
  if (!/\.test\.tsx?$/.test(path)) sources.set(path, readFileSync(join(ROOT, path), 'utf8'));

const problems = findRoomProblems(sources);
for (const problem of problems) console.log(problem);
if (problems.length > 0) process.exitCode = 1;
