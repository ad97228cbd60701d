import type { Plugin } from 'vite';

const HELPER = '\0vite/preload-helper.js';
/** Vite adds the names of a late chunk and of all chunks that it imports, so that they load at the same time. */
const CODE = `
const requested = new Set();
export function __vitePreload(load, names = []) {
  for (const name of names) {
    if (requested.has(name)) continue;
    requested.add(name);
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.crossOrigin = '';
    link.href = import.meta.resolve('/' + name);
    document.head.append(link);
  }
  return load();
}`;

/** Vite's own helper also waits for late style sheets, which this app does not have, and has three times the size. */
export function preloadModules(): Plugin {
  return {
    name: 'preload-modules',
    apply: 'build',
    enforce: 'pre',
    load: { filter: { id: HELPER }, handler: () => CODE },
  };
}
