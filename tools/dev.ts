import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { buildWorldIfChanged } from '../apps/api/build/world-file.ts';
import { ROOT, waitForExit } from './project/project.ts';

const WEB_PORT = 5173;

function start(args: string[], cwd: string): ChildProcess {
  // The browser calls Vite, which proxies the API's paths: users and the sign-in see Vite's address.
  const env = { PUBLIC_URL: `http://localhost:${WEB_PORT}`, ...process.env };
  return spawn(process.execPath, args, { cwd: join(ROOT, cwd), stdio: ['ignore', 'inherit', 'inherit'], env });
}

// Runs during the start: only the map waits for it.
buildWorldIfChanged().catch((error: unknown) => console.error(error));
const children = [
  start(['--watch', '--watch-preserve-output', 'apps/api/src/main.ts'], '.'),
  start([join(ROOT, 'node_modules/vite/bin/vite.js'), '--port', String(WEB_PORT), '--strictPort'], 'apps/web'),
];

function stop(): void {
  for (const child of children) child.kill('SIGTERM');
}

process.on('SIGINT', stop);
process.on('SIGTERM', stop);
const ends = children.map(waitForExit);
await Promise.race(ends);
stop();
await Promise.all(ends);
