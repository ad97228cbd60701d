import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../project/project.ts';
import { findBannedComments, findBannedWords } from './words.ts';

const FOLDERS = '{apps/*/{src,test,build},packages/*/src,e2e,faults,bench,tools}';
const OWN_PATH = 'tools/check/check-words.ts';
/** Documents, titles of tests and texts on screen are read as prose, so the whole file is checked. */
const PROSE = /\.(?:test|spec)\.tsx?$|\.json$|\.md$/;
const DOCUMENTS = ['*.md', 'docs/**/*.md', '{bench,faults}/*.md'];
const TEXTS = 'apps/web/src/shared/i18n/en/*.json';

for (const path of globSync([`${FOLDERS}/**/*.{ts,tsx,mjs,css}`, TEXTS, ...DOCUMENTS], { cwd: ROOT })) {
  const text = readFileSync(join(ROOT, path), 'utf8');
  if (/biome-ignore lint\/plugin/.test(text) && path !== OWN_PATH) {
    console.log(`${path}: a ban holds everywhere, or is changed in tools/bans`);
    process.exitCode = 1;
  }
  for (const problem of PROSE.test(path) ? findBannedWords(text) : findBannedComments(text)) {
    console.log(`${path}:${problem}`);
    process.exitCode = 1;
  }
}
