import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isTestFile, listFilesBelow } from './claims.ts';
import type { SpecLine } from './ledger.ts';

const IDENTIFIER = /^(?:[A-Z][A-Z0-9_]+|[A-Za-z0-9]+(?:[_-][a-z0-9]+)+|(?:[A-Z][a-z]+){3,})$/;
const PLACEHOLDER = /\\\{[a-z]+\\\}/g;
const ANY_VALUE = '(?:\\{\\{[^}]+\\}\\}|\\$\\{[^}]+\\}|\\{[^}]+\\})';

/** Returns the product's own source, without tests, comment lines and the Spanish texts, as one string. */
export function readProductSource(root: string): string {
  return listFilesBelow(root, isProductFile)
    .map((file) => withoutCommentLines(readFileSync(join(root, file), 'utf8')))
    .join('\n');
}

/** Returns whether a file is shipped and may hold a text of the spec. */
export function isProductFile(path: string): boolean {
  if (!/^(?:apps|packages)\/.*\.(?:tsx?|json|html|webmanifest)$/.test(path)) return false;
  return !isTestFile(path) && !/\/(?:test|i18n\/es)\//.test(path);
}

/**
 * Returns whether the source holds a text as a whole: a sentence between quotes or tags, so that a longer sentence with
 * the same beginning does not count; a code or token as a whole word.
 */
export function containsText(source: string, exact: string): boolean {
  const words = exact.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(PLACEHOLDER, ANY_VALUE);
  const pattern = IDENTIFIER.test(exact) ? `(?<![\\w-])${words}(?![\\w-])` : `["'\`>]\\s*${words}\\s*["'\`<]`;
  return new RegExp(pattern).test(source);
}

/** Returns the lines that a test claims to show although their exact text is nowhere in the product. */
export function findMissingTexts(lines: SpecLine[], claimed: ReadonlySet<string>, source: string): SpecLine[] {
  return lines.filter((line) => line.exact && claimed.has(line.id) && !containsText(source, line.exact));
}

/**
 * Returns the lines whose exact text is not in the spec; inserted values are not compared, as the spec writes them in
 * its own way.
 */
export function findUnquotedTexts(lines: SpecLine[], spec: string): SpecLine[] {
  const isQuoted = (exact: string) => exact.split(/\{[a-z]+\}/).every((part) => spec.includes(part.trim()));
  return lines.filter(({ exact }) => exact !== undefined && !isQuoted(exact));
}

function withoutCommentLines(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line))
    .join('\n');
}
