import { importsOf } from './imports.ts';

/** For knip each of these files is an entry: apps import packages by file, and the CLI loads its verbs by name. */
const UNSEEN_BY_KNIP = /^packages\/[^/]+\/src\/|^apps\/api\/src\/cli\/(?!(?:[a-z]+[-/][a-z-]+|main)\.ts$)/;
const PRODUCT = /^(?:apps|packages)\/[^/]+\/(?:src|build)\//;

/**
 * Returns a problem for each file of `packages` and of the CLI that the product does not import: a test helper, or dead
 * code. Knip finds those of all other folders. `sources`: text by path from the project's root, tests left out.
 */
export function findTestHelpers(sources: ReadonlyMap<string, string>): string[] {
  const product = [...sources].filter(([file]) => PRODUCT.test(file));
  const imported = new Set(product.flatMap(([file, text]) => importsOf(file, text)));
  return [...sources.keys()]
    .filter((file) => UNSEEN_BY_KNIP.test(file) && !imported.has(file))
    .map((file) => `${file}: the product does not import it: move a helper of tests to a test folder`);
}
