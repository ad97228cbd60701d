import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pollUntil } from '../../apps/api/test/delays.ts';
import { findFreePort } from '../../apps/api/test/free-port.ts';
import { collectOutput, endProcess } from '../../e2e/server/server-process.ts';
import { signUp } from '../../faults/oauth/own-sign-in.ts';
import type { Containerfile } from './containerfile.ts';
import type { ReleaseTree } from './release-tree.ts';

const READY_MS = 120_000;
const POLL_MS = 250;
/** A tile of the world map that every release has. */
const WORLD_TILE = '/v1/tiles/0/0/0.mvt';

/** Runs the image's own command in the tree, uses the server as a visitor does, and returns every problem. */
export async function useServer(tree: ReleaseTree, image: Containerfile): Promise<string[]> {
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const own = { PORT: String(port), PUBLIC_URL: url, TRUST_PROXY: '1', DRAIN_S: '0', LOG_LEVEL: 'warn' };
  const folders = { DATA_DIR: tree.makeFolder('data'), TMPDIR: tree.makeFolder('tmp') };
  const path = `${join(tree.root, 'node_modules/.bin')}:/usr/bin:/bin`;
  const options = { cwd: tree.root, env: { ...image.environment, PATH: path, ...folders, ...own }, ...tree.account };
  const before = tree.list();
  const child = spawn(image.command[0] ?? '', image.command.slice(1), {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = collectOutput();
  output.follow(child);
  const isHealthy = () => spawnSync(image.health_check[0] ?? '', image.health_check.slice(1), options).status === 0;
  try {
    if (!(await getsReady(child, url))) return [`not ready: ${reasonIn(output.text())}`];
    const problems = await visit(url);
    if (!isHealthy()) problems.push('the health check fails while it runs');
    await endProcess(child, 'SIGTERM');
    if (child.exitCode !== 0) problems.push(`a stop ended with ${child.signalCode ?? `code ${child.exitCode}`}`);
    if (isHealthy()) problems.push('the health check is green although it has ended');
    return [...problems, ...changesSince(before, tree)];
  } finally {
    await endProcess(child, 'SIGTERM');
  }
}

/** Returns the line of an output that says why a program ended. */
function reasonIn(output: string): string {
  const lines = output.trim().split('\n');
  return lines.find((line) => /error|cannot/i.test(line)) ?? lines.at(-1) ?? '';
}

async function getsReady(child: ChildProcess, url: string): Promise<boolean> {
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const isReady = () => answers(`${url}/readyz`).catch(() => false);
  await pollUntil(async () => hasEnded() || (await isReady()), { patience_ms: READY_MS, interval_ms: POLL_MS });
  return !hasEnded() && (await isReady());
}

const answers = async (address: string): Promise<boolean> => (await fetch(address)).ok;

/** Opens the app with all that its page names, and the map, and makes an account. */
async function visit(url: string): Promise<string[]> {
  const problems: string[] = [];
  const page = await fetch(url);
  const html = await page.text();
  const named = [...html.matchAll(/(?:src|href)="(\/[^"]+\.\w+)"/g)].map(([, path = '']) => path);
  if (page.status !== 200 || named.length === 0) problems.push(`the app's page answers ${page.status}`);
  for (const path of ['/healthz', '/sw.js', WORLD_TILE, ...named])
    if (!(await answers(url + path))) problems.push(`${path} is not served`);
  try {
    const { access_token } = await signUp(url);
    const headers = { authorization: `Bearer ${access_token}` };
    const me = await fetch(`${url}/v1/auth/me`, { headers });
    if (me.status !== 200) problems.push(`the new user's own call answers ${me.status}`);
  } catch (error) {
    problems.push(`no account can be made: ${(error as Error).message}`);
  }
  return problems;
}

function changesSince(before: ReadonlyMap<string, string>, tree: ReleaseTree): string[] {
  const after = tree.list();
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path)).map((path) => `${path} was changed`);
}
