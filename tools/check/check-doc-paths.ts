import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../project/project.ts';
import { findMissingPaths, type Tree, textOfPicture } from './doc-paths.ts';

const DOCUMENTS = '{README,ARCHITECTURE,CONTRIBUTING,SECURITY,CHANGELOG}.md';
const FOLDERS = '{docs/**,bench,faults}/*.md';
const PICTURES = 'docs/pictures/*.svg';
const IGNORED = new Set(['node_modules', 'dist']);

type Manifest = { dependencies?: Record<string, string>; devDependencies?: Record<string, string> };

function listPackages(): Set<string> {
  const manifests = globSync('{.,apps/*,packages/*,e2e}/package.json', { cwd: ROOT });
  const names = manifests.flatMap((path) => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Manifest;
    return Object.keys({ ...dependencies, ...devDependencies });
  });
  return new Set(names);
}

const tree: Tree = {
  paths: globSync('**/*', { cwd: ROOT, exclude: (path) => IGNORED.has(path.split('/').at(-1) ?? '') }),
  exists: (path) => existsSync(join(ROOT, path)),
  read: (path) => readFileSync(join(ROOT, path), 'utf8'),
  packages: listPackages(),
};

for (const document of globSync([DOCUMENTS, FOLDERS, PICTURES], { cwd: ROOT }).sort()) {
  const text = readFileSync(join(ROOT, document), 'utf8');
  for (const problem of findMissingPaths(document, document.endsWith('.svg') ? textOfPicture(text) : text, tree)) {
    console.log(`${document}:${problem}`);
    process.exitCode = 1;
  }
}
