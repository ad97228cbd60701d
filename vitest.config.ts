import { defineConfig } from 'vitest/config';
import { compileTexts } from './apps/web/build/compile-texts.ts';

export default defineConfig({
  test: {
    // Twice the cores: a test of the server or of a screen waits half of its time.
    maxWorkers: 4,
    // Not threads: Web Locks and BroadcastChannels reach all threads of a process, so test files would hear each other.
    pool: 'forks',
    setupFiles: ['tools/testing/test-wait-timeout.ts'],
    // No module of the project uses `require` or `module`, which would be made for each module that is loaded.
    injectCjsGlobals: false,
    // As patient as `vi.waitFor` is made by it.
    expect: { poll: { timeout: 45_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          testTimeout: 60_000,
          include: [
            'packages/**/*.test.ts',
            'tools/**/*.test.ts',
            'faults/**/*.test.ts',
            'apps/web/build/**/*.test.ts',
          ],
          isolate: false,
        },
      },
      {
        extends: true,
        oxc: { jsx: { runtime: 'automatic' } },
        plugins: [compileTexts()],
        test: {
          name: 'web',
          testTimeout: 60_000,
          include: ['apps/web/src/**/*.test.{ts,tsx}'],
          // A context for each file: many replace a module by a fake, which the next file would meet. A process for each
          // takes twice the CPU time.
          pool: 'vmForks',
          setupFiles: ['tools/testing/test-wait-timeout.ts', 'apps/web/test/unit/context-errors.ts'],
        },
      },
      {
        extends: true,
        // `jsxDEV` is part of React's build for development, see the set-up.
        oxc: { jsx: { runtime: 'automatic', development: false } },
        plugins: [compileTexts()],
        test: {
          name: 'screens',
          environment: 'jsdom',
          environmentOptions: { jsdom: { url: 'https://sendlap.test/' } },
          testTimeout: 60_000,
          setupFiles: ['tools/testing/test-wait-timeout.ts', 'apps/web/test/setup.ts'],
          include: ['apps/web/{gallery,test}/**/*.test.{ts,tsx}'],
          // One process of a worker runs many files, so that React and jsdom load once; a page's modules are fresh each time.
          isolate: false,
          // Node itself loads the packages, once: they hold no state, and a page load evaluates its own modules alone.
          server: { deps: { external: [/\/packages\/(?:contract|domain|center-index)\/src\//] } },
        },
      },
      {
        extends: true,
        test: {
          name: 'api',
          include: ['apps/api/{src,build}/**/*.test.ts'],
          // One process of a worker runs many files, so that the libraries load once; what a file changes in a module, a
          // global or the environment it puts back.
          isolate: false,
          globalSetup: ['apps/api/test/database/database-server.ts', 'apps/api/test/world-setup.ts'],
          testTimeout: 60_000,
          // A hook checks nothing: it makes databases and apps, which takes its time on a busy machine.
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
