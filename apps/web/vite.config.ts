import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import babel from '@rolldown/plugin-babel';
import tailwindcss from '@tailwindcss/vite';
import react, { reactCompilerPreset } from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { CHUNKS } from './build/chunks.ts';
import { hintCompilation } from './build/compile-hint.ts';
import { compileTexts } from './build/compile-texts.ts';
import { gallery } from './build/gallery.ts';
import { leaveOutServerFacts } from './build/leave-out-server-facts.ts';
import { shareMapEngine } from './build/map-engine.ts';
import { preloadModules } from './build/preload-modules.ts';

const API = 'http://localhost:8000';

/** Code of the first route that renders once, or is a leaf: what React's compiler adds to it saves no time, and weighs. */
const RENDERED_ONCE =
  /web\/src\/(features\/(auth|install)|app\/(errors|router|shell|App|SignedInFrame)|shared\/(i18n|ui\/(controls\/(Button|IconButton|Spinner|Problem)|icons|BrandMark|Corner|feedback\/(lazy-part|WhenIdle))))/;

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const { version } = JSON.parse(readFileSync(here('package.json'), 'utf8')) as { version: string };

/** The licence of the project, for the About screen. */
const ownLicence: Plugin = {
  name: 'own-licence',
  apply: 'build',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'license.txt', source: readFileSync(here('../../LICENSE')) });
  },
};

export default defineConfig({
  define: { 'import.meta.env.VITE_VERSION': JSON.stringify(version) },
  root: here('.'),
  // React has the hook itself since 18; the shim of older ones would only weigh.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: 'react' }] },
  plugins: [
    shareMapEngine(),
    compileTexts(),
    leaveOutServerFacts(),
    preloadModules(),
    hintCompilation(),
    ownLicence,
    gallery(),
    react(),
    babel({ presets: [reactCompilerPreset()], exclude: [/node_modules/, RENDERED_ONCE] }),
    tailwindcss(),
  ],
  server: {
    port: 5173,
    proxy: Object.fromEntries(['/v1', '/oidc', '/healthz', '/readyz'].map((path) => [path, API])),
  },
  build: {
    target: 'es2023',
    manifest: true,
    license: { fileName: 'third-party-licenses.txt' },
    // Every browser with ES2023 preloads modules by itself; the polyfill would cost a request's worth of bytes.
    modulePreload: { polyfill: false },
    // Chunks import each other by names that stay; index.html maps these to names by content.
    chunkImportMap: true,
    // Each late style sheet would be a request of its own.
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    sourcemap: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      // The names of chunks depend on this folder: the same wherever the build is started.
      cwd: here('.'),
      // Short names of exports depend on all others of the chunk: one more would change every importer.
      output: { codeSplitting: { groups: CHUNKS }, minifyInternalExports: false },
    },
  },
});
