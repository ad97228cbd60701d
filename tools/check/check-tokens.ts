import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../project/project.ts';
import { applyExceptions, findRawValues, readTokens } from './tokens.ts';

const SOURCE = join(ROOT, 'apps/web/src');
/** Defines the tokens. */
const TOKENS = 'app/styles.css';

const tokens = readTokens(readFileSync(join(SOURCE, TOKENS), 'utf8'));
const problems = new Map(
  globSync('**/*.{ts,tsx,css}', { cwd: SOURCE })
    .filter((file) => file !== TOKENS && !/\.test\.tsx?$/.test(file))
    .map((file) => [file, findRawValues(file, readFileSync(join(SOURCE, file), 'utf8'), tokens)]),
);
for (const problem of applyExceptions(problems)) {
  console.log(`apps/web/src/${problem}`);
  process.exitCode = 1;
}
