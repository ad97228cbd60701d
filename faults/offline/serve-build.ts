import { existsSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';

const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};
/** Paths of the server and of files; all others are screens of the app. */
const NOT_A_SCREEN = /^\/(v1|oidc|docs|healthz|readyz)(\/|$)|\.[a-z0-9]+$/i;

/** Answers for the files and screens of a build; all else passes on to the server. */
export function serveBuild(dist: string) {
  return ({ path }: { path: string }) => {
    const { pathname } = new URL(path, 'http://localhost');
    const file = join(dist, NOT_A_SCREEN.test(pathname) ? pathname : 'index.html');
    if (!file.startsWith(dist) || !existsSync(file) || !statSync(file).isFile()) return 'pass' as const;
    return { status: 200, content: readFileSync(file), type: TYPES[extname(file)] ?? 'application/octet-stream' };
  };
}
