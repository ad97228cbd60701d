import { fileURLToPath } from 'node:url';
import babel from '@rolldown/plugin-babel';
import tailwindcss from '@tailwindcss/vite';
import react, { reactCompilerPreset } from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';

const API = 'http://localhost:8000';
/** The largest file of the precache is the map; Workbox leaves out what is over its own 2 MiB. */
const MAX_PRECACHED_BYTES = 4 * 1024 * 1024;

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // React has the hook itself since 18; the shim of older ones would only weigh.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: 'react' }] },
  plugins: [
    react(),
    babel({ presets: [reactCompilerPreset()] }),
    tailwindcss(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'src/sw',
      filename: 'sw.ts',
      injectRegister: false,
      manifest: false,
      injectManifest: {
        globPatterns: ['**/*.{js,mjs,css,html,woff2,wasm,svg,webmanifest}', 'icons/*-192.png'],
        globIgnores: ['sw.js', '.vite/**'],
        maximumFileSizeToCacheInBytes: MAX_PRECACHED_BYTES,
      },
    }),
  ],
  server: {
    port: 5173,
    proxy: Object.fromEntries(['/v1', '/oidc', '/healthz', '/readyz'].map((path) => [path, API])),
  },
  build: {
    target: 'es2023',
    manifest: true,
    // Every browser with ES2023 preloads modules by itself; the polyfill would cost a request's worth of bytes.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    sourcemap: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1200,
    // What the sign-in screen needs is one file: it compresses better than five and costs one request.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } } },
  },
});
