import { posix } from 'node:path';

const MAX_FILES = 25;
const IMPORT = /(?:from|import\(?)\s*'([^']+)'/g;
const ALIASES: [prefix: string, folder: string][] = [
  ['#api/', 'apps/api/src/'],
  ['#web/', 'apps/web/src/'],
  ['@sendlap/domain/', 'packages/domain/src/'],
  ['@sendlap/contract/', 'packages/contract/src/'],
  ['@sendlap/center-index/', 'packages/center-index/src/'],
];

/**
 * What breaks the rule of rooms: two folders that import each other, and a folder with more code files than a reader
 * takes in. `sources`: text by path from the project's root, tests left out.
 */
export function findFolderProblems(sources: ReadonlyMap<string, string>): string[] {
  return [...findMutualImports(sources), ...findCrowdedFolders(sources)];
}

function findMutualImports(sources: ReadonlyMap<string, string>): string[] {
  const importers = new Map<string, string>();
  for (const [file, text] of sources) {
    for (const [, specifier = ''] of text.matchAll(IMPORT)) {
      const imported = resolve(file, specifier);
      if (imported) importers.set(`${posix.dirname(file)} ${posix.dirname(imported)}`, `${file} → ${imported}`);
    }
  }
  const problems: string[] = [];
  for (const [pair, example] of importers) {
    const [from = '', to = ''] = pair.split(' ');
    const reverse = importers.get(`${to} ${from}`);
    if (from < to && reverse) problems.push(`${from} and ${to} import each other: ${example}, ${reverse}`);
  }
  return problems;
}

function resolve(file: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(file), specifier);
  const [app] = /^apps\/[^/]+\//.exec(file) ?? [];
  if (app && specifier.startsWith('#test/')) return app + specifier.slice(1);
  const alias = ALIASES.find(([prefix]) => specifier.startsWith(prefix));
  return alias ? alias[1] + specifier.slice(alias[0].length) : null;
}

function findCrowdedFolders(sources: ReadonlyMap<string, string>): string[] {
  const counts = new Map<string, number>();
  for (const file of sources.keys()) {
    const folder = posix.dirname(file);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > MAX_FILES)
    .map(([folder, count]) => `${folder} holds ${count} code files, more than ${MAX_FILES}`);
}
