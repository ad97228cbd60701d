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
 * the hint it compiles all functions of a chunk off the main thread, not each one on it at its first call. Fails a
 * build that lacks one of the chunks.
 */
export function hintCompilation(): Plugin {
  return {
    name: 'hint-compilation',
    // The shell, which is built for Node, has other chunks.
    apply: (_, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    enforce: 'post',
    generateBundle: {
      // Vite puts the list of a chunk's imports at its start.
      order: 'post',
      handler(_, bundle) {
        const missing = new Set(RUN_AT_START);
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk' || !RUN_AT_START.has(chunk.name)) continue;
          missing.delete(chunk.name);
          chunk.code = HINT + chunk.code;
          const map = bundle[`${chunk.fileName}.map`];
          if (map?.type === 'asset') map.source = shiftLine(String(map.source));
        }
        if (missing.size > 0) this.error(`no chunk is named ${[...missing].join(', ')}, which a start runs`);
      },
    },
  };
}

/** Moves a source map to the next line: `;` ends the mappings of a line. */
function shiftLine(source: string): string {
  const map = JSON.parse(source) as { mappings: string };
  return JSON.stringify({ ...map, mappings: `;${map.mappings}` });
}
