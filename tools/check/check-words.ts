import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../project/project.ts';
import { findBannedWords } from './words.ts';

const FOLDERS = '{apps/*/{src,test,build},packages/*/src,e2e,faults,bench,tools}';

for (const path of globSync(`${FOLDERS}/**/*.{ts,tsx,mjs,css}`, { cwd: ROOT })) {
  for (const problem of findBannedWords(readFileSync(join(ROOT, path), 'utf8'))) {
    console.log(`${path}:${problem}`);
    process.exitCode = 1;
  }
}
