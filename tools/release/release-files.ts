import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../project/project.ts';

/** All that a release holds: what runs, already built, and how to run it. Packages are installed where it runs. */
const CONTENT = [
  '{package,package-lock}.json',
  '.npmrc',
  '.dockerignore',
  'LICENSE',
  'CHANGELOG.md',
  'docs/operating.md',
  // The pages to which it links.
  'docs/{fair-proof,decisions/*,how-to/*}.md',
  'deploy/metrics/{alerts.yaml,dashboard.json}',
  'deploy/{Containerfile,compose.yaml,kubernetes.yaml,sendlap.service}',
  'tools/{setup.mjs,start.ts}',
  '{apps,packages}/*/package.json',
  '{apps/api,packages/*}/src/**',
];
const BUILT = ['apps/api/dist/world.pmtiles', 'apps/web/dist/**'];
const LEFT_OUT = /\.test\.ts$|\/expected-reports\.jsonl$|\/\.build-hash$/;

/** Returns the paths of a release, sorted; before a build, those of the sources alone. Throws if a part is missing. */
export function listReleaseFiles({ is_built = true } = {}): string[] {
  const files = [...CONTENT, ...(is_built ? BUILT : [])].flatMap((glob) => {
    const found = globSync(glob, { cwd: ROOT, withFileTypes: true }).filter((entry) => entry.isFile());
    if (found.length === 0) throw new Error(`${glob}: there is no such file`);
    return found.map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1));
  });
  return files.filter((path) => !LEFT_OUT.test(path)).sort();
}

/** The name of the archive and of the folder in it. */
export function readReleaseName(): string {
  const { name, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, string>;
  return `${name}-${version}`;
}
