import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import babel from '@rolldown/plugin-babel';
import tailwindcss from '@tailwindcss/vite';
import react, { reactCompilerPreset } from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { compileTexts } from './build/compile-texts.ts';
import { isMapEngine, shareMapEngine } from './build/map-engine.ts';

const API = 'http://localhost:8000';

/** A module that so many screens and lazy parts need goes into a chunk with others like it. */
const MANY = 3;
/**
 * One file compresses better than many and costs one request: what the sign-in screen needs, then what most of the rest
 * needs, with the data's side apart from the screens', for a start without a screen needs the data alone.
 */
const CHUNKS = [
  { name: 'first', tags: ['$initial' as const], test: (id: string) => !isMapEngine(id), priority: 2 },
  {
    name: 'data',
    test: /node_modules\/(zod|idb)\/|packages\/(contract|domain)\/|web\/src\/shared\/(api|device|live|local-db|outbox)\//,
    minShareCount: MANY,
    priority: 1,
  },
  {
    name: 'screens',
    test: /node_modules\/@(base-ui|floating-ui|tanstack)\/|web\/src\/(features|shared)\/.*\.tsx?$/,
    minShareCount: MANY,
    priority: 0,
  },
];

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
    ownLicence,
    react(),
    babel({ presets: [reactCompilerPreset()] }),
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
    assetsInlineLimit: 0,
    sourcemap: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1200,
    rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } },
  },
});
