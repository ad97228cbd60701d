import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../project/project.ts';
import { findBannedComments, findBannedTexts, findBannedWords, findVagueTitles } from './words.ts';

const FOLDERS = '{apps/*/{src,test,build,gallery,public},packages/*/{src,test},e2e,faults,bench,tools}';
const OWN_PATH = 'tools/check/check-words.ts';
const TESTS = /\.(?:test|spec)\.tsx?$/;
/** Documents, tests and texts on screen are read as prose, so the whole file is checked. */
const PROSE = new RegExp(`${TESTS.source}|\\.json$|\\.md$|[/-]texts\\.ts$`);
const DOCUMENTS = ['*.md', 'docs/**/*.md', '{bench,faults}/*.md'];
/** Their texts name accounts: the reserved ids, and the accounts of the operating system. */
const NAMES_ACCOUNTS = /\/users\/public-ids\.ts$|\/embedded-postgres\/account\.ts$/;
const TEXTS = 'apps/web/src/shared/i18n/en/*.json';

function findInCode(path: string, text: string): string[] {
  return [...findBannedComments(text), ...(NAMES_ACCOUNTS.test(path) ? [] : findBannedTexts(text))];
}

for (const path of globSync([`${FOLDERS}/**/*.{ts,tsx,js,mjs,css}`, TEXTS, ...DOCUMENTS], { cwd: ROOT })) {
  const text = readFileSync(join(ROOT, path), 'utf8');
  if (/biome-ignore lint\/plugin/.test(text) && path !== OWN_PATH) {
    console.log(`${path}: a ban holds everywhere, or is changed in tools/bans`);
    process.exitCode = 1;
  }
  const phrases = PROSE.test(path) ? findBannedWords(text) : findInCode(path, text);
  for (const problem of [...phrases, ...(TESTS.test(path) ? findVagueTitles(text) : [])]) {
    console.log(`${path}:${problem}`);
    process.exitCode = 1;
  }
}
