import { fileURLToPath } from 'node:url';
import { type Plugin, transformWithOxc } from 'vite';

const SOURCES = /node_modules\/maplibre-gl\/src\//;
/** MapLibre and its dependencies. */
const ENGINE =
  /node_modules\/(maplibre-gl|@maplibre|@mapbox|bidi-js|earcut|gl-matrix|kdbush|murmurhash-js|pbf|potpack|quickselect|tinyqueue)\//;
const WORKER_FILE = 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
const WORKER_URL = '\0map-worker-url';
/** Optional parts of the library that our code does not import. */
const OPTIONAL = /maplibre-gl\/src\/ui\/(control\/|popup|marker)/;

/** Whether a module belongs to the map engine. Its worker must not share a chunk with modules that need a page. */
export function isMapEngine(id: string): boolean {
  return ENGINE.test(id);
}

/**
 * Builds MapLibre from the sources in its package. Its prebuilt files are two bundles, page and worker, with much of
 * the same code; built from the sources, both load one shared chunk. Development uses the prebuilt files.
 */
export function shareMapEngine(): Plugin {
  return {
    name: 'sendlap-map-engine',
    apply: 'build',
    enforce: 'pre',
    async resolveId(id, importer, options) {
      if (id === WORKER_FILE) return WORKER_URL;
      if (id !== 'maplibre-gl' && !(importer && SOURCES.test(importer))) return null;
      const target = id === 'maplibre-gl' ? sourceFile('index.ts') : id;
      const resolved = await this.resolve(target, importer, { ...options, skipSelf: true });
      return resolved && OPTIONAL.test(resolved.id) ? { ...resolved, moduleSideEffects: false } : resolved;
    },
    async transform(code, id) {
      if (!SOURCES.test(id)) return null;
      // Its code needs fields to be set, not defined: a subclass redeclares fields of its base class.
      const { code: script, map } = await transformWithOxc(code, id, {
        typescript: { removeClassFieldsWithoutInitializer: true },
        assumptions: { setPublicClassFields: true },
      });
      return { code: script, map, moduleType: 'js' };
    },
    load(id) {
      if (id !== WORKER_URL) return null;
      const reference = this.emitFile({ type: 'chunk', id: sourceFile('source/worker.ts'), name: 'map-worker' });
      // The import map knows the name of the file, `new Worker` does not look there.
      return `export default import.meta.resolve(import.meta.ROLLUP_FILE_URL_${reference})`;
    },
  };
}

function sourceFile(path: string): string {
  return fileURLToPath(new URL(`src/${path}`, import.meta.resolve('maplibre-gl/package.json')));
}
