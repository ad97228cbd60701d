import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

/** A test whose title names the line of the spec that it shows. */
export type Claim = { id: string; file: string; line: number };

type Claims = { claims: Claim[]; problems: string[] };

const TAG = /\[spec ([^\]\n]*)\](.?)/g;
const TEST_CALL = /\b(?:it|test|describe|suite)((?:\.\w+)*)\s*\(/g;
const DISABLING_MODIFIER = /\.(?:skip|skipIf|runIf|todo|fixme|fails|fail)\b/;
const SKIPPED_FOLDERS = ['node_modules', 'dist'];

/** Returns all files below a folder whose relative path passes, sorted, with `/` between folders. */
export function listFilesBelow(root: string, matches: (path: string) => boolean, folder = ''): string[] {
  const found: string[] = [];
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!SKIPPED_FOLDERS.includes(entry.name) && !entry.name.startsWith('.'))
        found.push(...listFilesBelow(root, matches, path));
    } else if (matches(path.split(sep).join('/'))) found.push(path.split(sep).join('/'));
  }
  return found.sort();
}

/** Returns whether a file holds tests: `*.test.ts`, `*.test.tsx`, and the journeys `e2e/*.spec.ts`. */
export function isTestFile(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || /^e2e\/.*\.spec\.ts$/.test(path);
}

/** Returns the claims of every test file of the repository. */
export function scanRepository(root: string): Claims {
  const all: Claims = { claims: [], problems: [] };
  for (const file of listFilesBelow(root, isTestFile)) {
    const { claims, problems } = scanText(file, readFileSync(join(root, file), 'utf8'));
    all.claims.push(...claims);
    all.problems.push(...problems);
  }
  return all;
}

/**
 * Returns the claims in one file's text: tags that end a title, `… [spec 7.auth.callback, 7.auth.me]'`. Comments and
 * tests that are off, always or on a condition, claim nothing; a tag anywhere but at a title's end is a problem.
 */
export function scanText(file: string, text: string): Claims {
  const found: Claims = { claims: [], problems: [] };
  for (const match of text.matchAll(TAG)) {
    const before = text.slice(0, match.index);
    const line = before.split('\n').length;
    const line_start = before.slice(before.lastIndexOf('\n') + 1).trimStart();
    if (/^(?:\/\/|\/?\*)/.test(line_start) || isDisabled(before)) continue;
    if (!['"', "'", '`'].includes(match[2] ?? ''))
      found.problems.push(`${file}:${line}: a spec tag must end its title`);
    const ids = (match[1] ?? '').split(',').map((id) => id.trim());
    found.claims.push(...ids.map((id) => ({ id, file, line })));
  }
  return found;
}

/** Returns one sentence for each tag that names no line of the ledger. */
export function findUnknownIds(claims: Claim[], ids: ReadonlySet<string>): string[] {
  return claims
    .filter((claim) => !ids.has(claim.id))
    .map((claim) => `${claim.file}:${claim.line}: the ledger has no line ${JSON.stringify(claim.id)}`);
}

/** Includes tests that need something a machine may lack: a test in or after such a group may not have run anywhere. */
function isDisabled(before: string): boolean {
  if (/\b(?:test|describe)UnlessMissing\(/.test(before)) return true;
  const modifiers = [...before.matchAll(TEST_CALL)].at(-1)?.[1] ?? '';
  return DISABLING_MODIFIER.test(modifiers);
}
