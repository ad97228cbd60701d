import type { Plugin } from 'vite';

/** Of V8; it must be the first line of a script. */
const HINT = '//# allFunctionsCalledOnLoad\n';
/** The chunks that a signed-in start runs before Home shows the athlete's own data. */
export const RUN_AT_START = new Set([
  'index',
  'react',
  'session',
  'schemas',
  'data',
  'toolkit',
  'screens',
  'sheet',
  'layout',
  'home',
]);

/**
 * Chromium keeps no compiled code of a module that a service worker serves, so it compiles the app at each start. With
 * the hint it compiles all functions of a chunk beside the main thread, not each one on it at its first call.
 */
export function hintCompilation(): Plugin {
  return {
    name: 'hint-compilation',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      // Vite puts the list of a chunk's imports at its start.
      order: 'post',
      handler(_, bundle) {
        for (const chunk of Object.values(bundle))
          if (chunk.type === 'chunk' && RUN_AT_START.has(chunk.name)) chunk.code = HINT + chunk.code;
      },
    },
  };
}
