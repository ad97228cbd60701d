import { posix } from 'node:path';

const IMPORT = /(?:from|import\(?)\s*'([^']+)'/g;
const ALIASES: [prefix: string, folder: string][] = [
  ['#api/', 'apps/api/src/'],
  ['#web/', 'apps/web/src/'],
  ['@sendlap/domain/', 'packages/domain/src/'],
  ['@sendlap/contract/', 'packages/contract/src/'],
  ['@sendlap/center-index/', 'packages/center-index/src/'],
];

/** Returns the project's files that a file imports, statically or not. Paths are from the project's root. */
export function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(IMPORT)].flatMap(([, specifier = '']) => resolve(file, specifier) ?? []);
}

function resolve(file: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(file), specifier);
  const [app] = /^apps\/[^/]+\//.exec(file) ?? [];
  if (app && specifier.startsWith('#test/')) return app + specifier.slice(1);
  const alias = ALIASES.find(([prefix]) => specifier.startsWith(prefix));
  return alias ? alias[1] + specifier.slice(alias[0].length) : null;
}
