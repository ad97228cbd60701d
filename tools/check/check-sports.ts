import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SPORTS } from '../../packages/domain/src/sports.ts';
import { ROOT } from '../project/project.ts';
import { findSportComparisons } from './sports.ts';

const FOLDERS = '{{apps,packages}/*/{src,test,gallery,build},e2e,faults,bench,tools}';

for (const path of globSync(`${FOLDERS}/**/*.{ts,tsx,mjs}`, { cwd: ROOT })) {
  for (const problem of findSportComparisons(path, readFileSync(join(ROOT, path), 'utf8'), SPORTS)) {
    console.log(`${path}:${problem}`);
    process.exitCode = 1;
  }
}
