import { importsOf } from './imports.ts';

/** Files that are run, built or loaded by their name: the server, the verbs of the CLI, pages and workers of the app. */
const ENTRIES = [
  /^apps\/api\/src\/(?:main|cli\/(?:[a-z]+[-/][a-z-]+|main))\.ts$/,
  /^apps\/web\/src\/(?:main|app\/shell\/prerender)\.tsx$/,
  /^apps\/web\/src\/(?:sw\/sw|shared\/(?:outbox\/worker-client|local-db\/center-search-worker))\.ts$/,
];
const SOURCE = /^(?:apps|packages)\/[^/]+\/src\/.*(?<!\.d)\.(?:tsx?|mjs)$/;

/**
 * Returns a problem for each file in a folder `src` that no entry of the product reaches by imports: a test helper, or
 * dead code. `sources`: text by path from the project's root, tests left out.
 */
export function findTestHelpers(sources: ReadonlyMap<string, string>): string[] {
  const files = [...sources.keys()].filter((file) => SOURCE.test(file));
  const reached = new Set(files.filter((file) => ENTRIES.some((entry) => entry.test(file))));
  // The loop meets what it adds.
  for (const file of reached) for (const imported of importsOf(file, sources.get(file) ?? '')) reached.add(imported);
  return files
    .filter((file) => !reached.has(file))
    .map((file) => `${file}: the product does not import it: move a helper of tests to a test folder`);
}
