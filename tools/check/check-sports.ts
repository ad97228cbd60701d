import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SPORTS } from '../../packages/domain/src/sports.ts';
import { ROOT } from '../project/project.ts';
import { findSportComparisons } from './sports.ts';

for (const path of globSync('{apps/*/src,packages/*/src,e2e,faults,bench,tools}/**/*.{ts,tsx}', { cwd: ROOT })) {
  for (const problem of findSportComparisons(path, readFileSync(join(ROOT, path), 'utf8'), SPORTS)) {
    console.log(`${path}:${problem}`);
    process.exitCode = 1;
  }
}
