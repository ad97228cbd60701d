import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../project/project.ts';

type Entry = { dev?: boolean; link?: boolean; resolved?: string; dependencies?: object; optionalDependencies?: object };
const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Entry>;
};

/** Returns the path under which a package finds another one, as Node looks for it. */
function find(from: string, name: string): string | undefined {
  const folders =
    from === '' ? [] : from.split('/').map((_, index, parts) => parts.slice(0, parts.length - index).join('/'));
  return [...folders, ''].map((folder) => join(folder, 'node_modules', name)).find((path) => path in packages);
}

/** Returns the packages that the server needs, and those that npm adds to the project itself, by the lock file. */
function productionPackages(): Set<string> {
  const found = new Set<string>();
  const waiting = ['', 'apps/api'];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const { link, resolved, dependencies, optionalDependencies } = packages[path] ?? {};
    if (found.has(path)) continue;
    found.add(path);
    if (link && resolved) waiting.push(resolved);
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const next = find(path, name);
      if (next !== undefined) waiting.push(next);
    }
  }
  return found;
}

test('The production tree has the server and no package for development', () => {
  const paths = [...productionPackages()];
  expect(paths).toContain('node_modules/fastify');
  expect(paths.filter((path) => packages[path]?.dev)).toEqual([]);
  const builders = ['vite', 'vitest', 'typescript', '@biomejs/biome', 'knip', 'jsdom', 'react', '@playwright/test'];
  expect(builders.filter((name) => paths.includes(`node_modules/${name}`))).toEqual([]);
});
