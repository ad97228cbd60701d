import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ROOT } from './project/project.ts';

// npm itself starts here.
vi.setConfig({ testTimeout: 120_000 });

/** Runs the set-up script in a tree that has never been installed, with one package to install. */
async function setUp(environment: Record<string, string>) {
  const tree = mkdtempSync(join(tmpdir(), 'sendlap-setup-'));
  onTestFinished(() => rmSync(tree, { recursive: true, force: true }));
  mkdirSync(join(tree, 'tools'));
  copyFileSync(join(ROOT, 'tools/setup.mjs'), join(tree, 'tools/setup.mjs'));
  const packages = { '': { dependencies: { dep: '1.0.0' } }, 'node_modules/dep': { version: '1.0.0' } };
  writeFileSync(join(tree, 'package.json'), JSON.stringify({ name: 'tree', dependencies: { dep: '1.0.0' } }));
  writeFileSync(join(tree, 'package-lock.json'), JSON.stringify({ name: 'tree', lockfileVersion: 3, packages }));
  const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_|proxy/i.test(name)));
  const cache = join(tree, '..', `${tree.split('/').at(-1)}-npm`);
  onTestFinished(() => rmSync(cache, { recursive: true, force: true }));
  const before = readdirSync(tree, { recursive: true }).map(String).sort();
  // One repeat after a second instead of two after eleven.
  const npm = { npm_config_cache: cache, npm_config_update_notifier: 'false', npm_config_fetch_retries: '1' };
  const env = { ...clean, ...npm, ...environment };
  const child = spawn(process.execPath, ['tools/setup.mjs'], { cwd: tree, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const [code] = await once(child, 'close');
  const after = readdirSync(tree, { recursive: true }).map(String).sort();
  // The folder of the lock stays, empty.
  expect(after.filter((name) => name !== '.cache')).toEqual(before);
  return { code, stdout, stderr };
}

test.each([
  ['pnpm/10.1.0 npm/? node/v24.0.0 linux x64', 'prestart', 'pnpm', 'npm start'],
  ['yarn/1.22.22 npm/? node/v24.0.0 linux x64', 'pretest', 'yarn', 'npm test'],
  ['bun/1.3.0 npm/? node/v24.0.0 linux x64', 'preinstall', 'bun', 'npm start'],
  ['pnpm/10.1.0 npm/? node/v24.0.0 linux x64', 'presendlap', 'pnpm', 'npm run sendlap'],
])('%s is refused with one line that names the command', async (agent, event, name, command) => {
  expect(await setUp({ npm_config_user_agent: agent, npm_lifecycle_event: event })).toEqual({
    code: 1,
    stdout: '',
    stderr: `set-up: Sendlap is installed by npm, not by ${name}: run ${command}.\n`,
  });
});

test('before an installation by npm itself nothing is done', async () => {
  const run = await setUp({ npm_config_user_agent: 'npm/11.0.0 node/v24.0.0', npm_lifecycle_event: 'preinstall' });
  expect(run).toEqual({ code: 0, stdout: '', stderr: '' });
});

/** A registry or a proxy that closes every connection; counts them. */
async function openClosingServer() {
  const seen = { connections: 0, url: '', close: () => void server.close() };
  const server = createServer((socket) => {
    seen.connections += 1;
    socket.on('error', () => {});
    socket.once('data', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  seen.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return seen;
}

test('without a network the first installation ends with one line, and is not tried a second time', async () => {
  const registry = await openClosingServer();
  const { code, stdout, stderr } = await setUp({ npm_config_registry: registry.url });
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      /^set-up: npm cannot reach its registry: \w+\. Check the network, or set HTTPS_PROXY [^\n]+\n$/,
    ),
  ]);
  expect(stdout).toMatch(/^set-up: installing packages[^\n]+\n$/);
  // npm's own two attempts for the one package.
  expect(registry.connections).toBe(2);
});

test('a proxy that does not work is named by its setting, without its password', async () => {
  const proxy = await openClosingServer();
  const HTTPS_PROXY = proxy.url.replace('://', '://ada:hidden@');
  const { code, stderr } = await setUp({ HTTPS_PROXY, npm_config_registry: 'https://registry.example' });
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      /^set-up: npm cannot reach its registry through the proxy of HTTPS_PROXY \(127\.0\.0\.1:\d+\): \w+\. [^\n]+\n$/,
    ),
  ]);
  expect(stderr).not.toContain('hidden');
  expect(proxy.connections).toBeGreaterThan(0);
});
