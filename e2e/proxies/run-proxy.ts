import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { findOrUnpack, libraryPath, missingOf } from '../../apps/api/test/debian-packages.ts';
import { pollUntil } from '../../apps/api/test/delays.ts';
import { collectOutput, endProcess } from '../server/server-process.ts';
import { configure, type Hop, type Line } from './configurations.ts';
import type { ProxyProgram } from './snippets.ts';

const START_MS = 30_000;
const PATHS: Record<ProxyProgram, string> = {
  nginx: 'usr/sbin/nginx',
  haproxy: 'usr/sbin/haproxy',
  caddy: 'usr/bin/caddy',
};

/** Returns the folder into which Debian's nginx, HAProxy and Caddy are unpacked; otherwise the reason, for people. */
export function installProxies(): Promise<{ folder: string } | { missing: string }> {
  return findOrUnpack({
    name: 'proxies',
    label: 'nginx, HAProxy and Caddy',
    packages: Object.keys(PATHS),
    findMissing: missingOf(Object.values(PATHS)),
  });
}

export interface RunningProxy {
  stop(): Promise<void>;
}

/** Starts a proxy of the unpacked packages. Throws with its output if it does not listen. */
export async function startProxy(packages: string, hop: Hop, line: Line): Promise<RunningProxy> {
  mkdirSync(line.folder, { recursive: true });
  const file = join(line.folder, 'configuration');
  writeFileSync(file, configure(hop, line));
  const folders = { HOME: line.folder, XDG_DATA_HOME: line.folder, XDG_CONFIG_HOME: line.folder };
  const env = { ...process.env, ...folders, LD_LIBRARY_PATH: libraryPath(packages) };
  const child = spawn(join(packages, PATHS[hop.program]), argumentsOf(hop.program, file, line.folder), {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = collectOutput();
  output.follow(child);
  const stop = () => endProcess(child, 'SIGKILL');
  if (await listens(child, line.port)) return { stop };
  await stop();
  throw new Error(`${hop.program} does not listen:\n${output.text()}`);
}

function argumentsOf(program: ProxyProgram, file: string, folder: string): string[] {
  if (program === 'nginx') return ['-p', folder, '-e', 'stderr', '-c', file];
  if (program === 'haproxy') return ['-db', '-f', file];
  return ['run', '--config', file, '--adapter', 'caddyfile'];
}

async function listens(child: ChildProcess, port: number): Promise<boolean> {
  let has_ended = false;
  for (const end of ['error', 'exit'])
    child.once(end, () => {
      has_ended = true;
    });
  await pollUntil(async () => has_ended || (await accepts(port)), { patience_ms: START_MS, interval_ms: 100 });
  return !has_ended && (await accepts(port));
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => end(true));
    const end = (is_open: boolean) => {
      socket.destroy();
      resolve(is_open);
    };
    socket.once('error', () => end(false));
  });
}
