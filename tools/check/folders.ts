import { posix } from 'node:path';
import { importsOf } from './imports.ts';

const MAX_FILES = 25;

/** By folder, the folders that it imports, each with an example: `file → imported file`. */
type Imports = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * What breaks the rule of rooms: folders that import each other, also through others, and a folder with more code files
 * than a reader takes in. `sources`: text by path from the project's root, tests left out.
 */
export function findFolderProblems(sources: ReadonlyMap<string, string>): string[] {
  return [...findCycles(readImports(sources)), ...findCrowdedFolders(sources)];
}

function readImports(sources: ReadonlyMap<string, string>): Imports {
  const imports = new Map<string, Map<string, string>>();
  for (const [file, text] of sources) {
    const folder = posix.dirname(file);
    const targets = imports.get(folder) ?? new Map<string, string>();
    imports.set(folder, targets);
    for (const imported of importsOf(file, text)) {
      const target = posix.dirname(imported);
      if (target !== folder) targets.set(target, `${file} → ${imported}`);
    }
  }
  return imports;
}

/** Names one shortest cycle of each group of folders of which every one reaches every other. */
function findCycles(imports: Imports): string[] {
  const problems: string[] = [];
  const named = new Set<string>();
  const folders = [...imports.keys()].sort();
  for (const folder of folders) {
    if (named.has(folder) || !findWay(imports, folder, folder)) continue;
    const group = folders.filter((other) => findWay(imports, folder, other) && findWay(imports, other, folder));
    for (const member of group) named.add(member);
    const ways = group.map((member) => findWay(imports, member, member) ?? []);
    const shortest = ways.reduce((best, way) => (way.length < best.length ? way : best));
    const examples = shortest.slice(1).map((to, index) => imports.get(shortest[index] ?? '')?.get(to));
    problems.push(`folders import each other: ${shortest.join(' → ')} (${examples.join(', ')})`);
  }
  return problems;
}

/** Returns the shortest way of imports, with both ends, or null. */
function findWay(imports: Imports, from: string, to: string): string[] | null {
  const ways: string[][] = [[from]];
  const reached = new Set<string>();
  for (const way of ways) {
    for (const next of imports.get(way.at(-1) ?? '')?.keys() ?? []) {
      if (next === to) return [...way, next];
      if (reached.has(next)) continue;
      reached.add(next);
      ways.push([...way, next]);
    }
  }
  return null;
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
