// Runs before every npm script and every installation, on whatever Node the machine has: plain JavaScript, no dependency.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MIN_NODE_MAJOR = 20;
/** From this version on, Node runs the project's TypeScript itself. */
const RUNTIME_NODE_MAJOR = 24;
const LOCK_WAIT_MS = 300_000;
const LOCK_POLL_MS = 200;
const INSTALL_FLAGS = [
  '--include=optional',
  '--ignore-scripts',
  '--loglevel=error',
  '--no-fund',
  '--no-audit',
  // npm's own waits between its three attempts are 10 s and 60 s: without a network, that would be a minute of silence.
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=10000',
];
/** In the order in which npm reads them. */
const PROXY_SETTINGS = [
  'npm_config_https_proxy',
  'npm_config_proxy',
  'HTTPS_PROXY',
  'https_proxy',
  'HTTP_PROXY',
  'http_proxy',
];
/** npm's codes for a registry that does not answer, and for a certificate that Node does not trust. */
const UNREACHABLE =
  /^(ENOTFOUND|EAI_AGAIN|ECONN\w+|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE|EPROTO|ERR_SOCKET_TIMEOUT|EIDLETIMEOUT|FETCH_ERROR|E407|E50[234])$/;
const UNTRUSTED = /CERT|UNABLE_TO_VERIFY/;
/** The packages of the server alone: those of the app are in its build. */
const PRODUCTION_FLAGS = ['--omit=dev', '--workspace=@sendlap/api', '--include-workspace-root'];
/** The scripts that need no package for development where the app is built. */
const PRODUCTION_EVENTS = ['prestart', 'presendlap'];

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const note = join(root, 'node_modules', '.sendlap-setup');
const lock = join(root, '.cache', 'setup.pid');

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  console.error(`set-up: ${message}`);
  process.exit(1);
}

/**
 * A release has the built app without its sources, so no package that builds or tests. A clone needs those until the app
 * is built, and then not in production.
 */
function needsServerAlone() {
  const is_built = existsSync(join(root, 'apps/web/dist/index.html'));
  if (is_built && !existsSync(join(root, 'apps/web/src'))) return true;
  const { NODE_ENV, npm_lifecycle_event = '' } = process.env;
  const is_production = NODE_ENV === 'production' && PRODUCTION_EVENTS.includes(npm_lifecycle_event);
  return is_production && existsSync(join(root, 'apps/web/dist/.build-hash'));
}

/**
 * The inputs of the installed packages: the lock file, the kind of machine, and whether it has the server's alone.
 *
 * @param {boolean} is_server_alone
 */
function fingerprint(is_server_alone) {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  return `${hash.digest('hex')} ${process.platform} ${process.arch}${is_server_alone ? ' server' : ''}\n`;
}

function isInstalled() {
  const installed = existsSync(note) ? readFileSync(note, 'utf8') : '';
  return installed === fingerprint(false) || (needsServerAlone() && installed === fingerprint(true));
}

/**
 * Runs npm. Returns its code of the failure, '' if it named none, undefined after a success. The messages of a failure
 * that has one line of ours are not shown.
 * @param {string[]} args
 */
function runNpm(args) {
  // npm's own Node, not the one in node_modules, which the installation replaces.
  const { npm_execpath, npm_node_execpath } = process.env;
  const options = /** @type {import('node:child_process').SpawnSyncOptionsWithStringEncoding} */ ({
    cwd: root,
    stdio: ['inherit', 'inherit', 'pipe'],
    encoding: 'utf8',
  });
  const result =
    npm_execpath && npm_node_execpath
      ? spawnSync(npm_node_execpath, [npm_execpath, ...args], options)
      : spawnSync('npm', args, options);
  if (result.error)
    fail(`npm cannot be run (${result.error.message}): install Node ${MIN_NODE_MAJOR} or newer with npm.`);
  const code = result.status === 0 ? undefined : (/^npm (?:error|ERR!) code (\S+)/m.exec(result.stderr)?.[1] ?? '');
  if (!code || !(UNREACHABLE.test(code) || UNTRUSTED.test(code))) process.stderr.write(result.stderr);
  return code;
}

/**
 * Ends the set-up with one line if npm could not reach its registry: a second attempt would fail too.
 * @param {string | undefined} code
 */
function failIfUnreachable(code) {
  if (code === undefined) return;
  const name = PROXY_SETTINGS.find((setting) => process.env[setting]);
  // Without the name and password that the address may contain.
  const address = name && process.env[name];
  const proxy = address && `${name} (${URL.canParse(address) ? new URL(address).host : 'not a URL'})`;
  if (UNTRUSTED.test(code)) {
    fail(
      `npm does not trust the certificate of its registry (${code}): if a proxy of your network opens https, set NODE_EXTRA_CA_CERTS to the file of the proxy's CA certificate.`,
    );
  }
  if (UNREACHABLE.test(code)) {
    fail(
      proxy
        ? `npm cannot reach its registry through the proxy of ${proxy}: ${code}. Check that setting, then run the command again.`
        : `npm cannot reach its registry: ${code}. Check the network, or set HTTPS_PROXY if it needs a proxy, then run the command again.`,
    );
  }
}

/** pnpm, Yarn and Bun start scripts too, but the lock file is npm's, and its packages are installed by npm alone. */
function refuseOtherPackageManagers() {
  const manager = /^[\w-]+/.exec(process.env.npm_config_user_agent ?? 'npm')?.[0];
  if (manager === 'npm') return;
  const script = (process.env.npm_lifecycle_event ?? '').replace(/^pre(install)?/, '') || 'start';
  const command = script === 'start' || script === 'test' ? `npm ${script}` : `npm run ${script}`;
  fail(`Sendlap is installed by npm, not by ${manager}: run ${command}.`);
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/** Two scripts may start at once in a fresh tree: one installs, the other waits for it. */
function takeLock() {
  mkdirSync(dirname(lock), { recursive: true });
  const deadline = Date.now() + LOCK_WAIT_MS;
  while (Date.now() < deadline) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      return;
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    }
    const holder = existsSync(lock) ? Number(readFileSync(lock, 'utf8')) : 0;
    if (holder && !isRunning(holder)) rmSync(lock, { force: true });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_POLL_MS);
  }
  fail(`another set-up has been running for ${LOCK_WAIT_MS / 60_000} minutes: end it, then remove ${lock}.`);
}

/**
 * npm 9, which is Debian's, removes the link of this machine's Node together with those of the packages for others.
 * @param {string} runtime
 */
function linkRuntime(runtime) {
  for (const prefix of ['node', 'node-bin']) {
    const name = `${prefix}-${process.platform}-${process.arch}`;
    if (existsSync(runtime) || !existsSync(join(root, 'node_modules', name, 'bin', 'node'))) continue;
    mkdirSync(dirname(runtime), { recursive: true });
    rmSync(runtime, { force: true });
    symlinkSync(`../${name}/bin/node`, runtime);
  }
}

/** The project's own Node comes as a package; if none runs here, the machine's must be new enough. */
function checkRuntime() {
  const runtime = join(root, 'node_modules', '.bin', 'node');
  linkRuntime(runtime);
  if (existsSync(runtime)) {
    if (spawnSync(runtime, ['--version']).status === 0) return;
    rmSync(runtime, { force: true });
  }
  if (Number.parseInt(process.versions.node, 10) < RUNTIME_NODE_MAJOR) {
    fail(
      `npm has no Node for ${process.platform}-${process.arch} and this machine's is ${process.version}: install Node ${RUNTIME_NODE_MAJOR} or newer (https://nodejs.org) and run the command again.`,
    );
  }
}

function install() {
  const is_server_alone = needsServerAlone();
  const flags = [...INSTALL_FLAGS, ...(is_server_alone ? PRODUCTION_FLAGS : ['--include=dev'])];
  console.log('set-up: installing packages, once (about half a minute)…');
  const ci_code = runNpm(['ci', ...flags]);
  failIfUnreachable(ci_code);
  if (ci_code !== undefined) {
    console.log('set-up: npm ci failed; trying npm install, which leaves the lock file as it is…');
    const install_code = runNpm(['install', '--no-save', ...flags]);
    failIfUnreachable(install_code);
    if (install_code !== undefined) fail("npm could not install the packages: see npm's messages above.");
  }
  checkRuntime();
  writeFileSync(note, fingerprint(is_server_alone));
}

/** Records the duration for the table at the end of `npm test`. A tree that cannot be written has no such table. */
function noteDuration() {
  if (process.env.npm_lifecycle_event !== 'pretest') return;
  try {
    mkdirSync(dirname(lock), { recursive: true });
    writeFileSync(join(root, '.cache', 'setup-ms'), String(Math.round(process.uptime() * 1000)));
  } catch {
    // The tests themselves report what they cannot write.
  }
}

refuseOtherPackageManagers();
if (process.platform === 'win32') fail('Sendlap runs on Linux and macOS; on Windows use WSL.');
if (Number.parseInt(process.versions.node, 10) < MIN_NODE_MAJOR) {
  fail(`Node ${process.version} is too old: install Node ${MIN_NODE_MAJOR} or newer (https://nodejs.org).`);
}
// Before `npm ci` and `npm install` themselves there is nothing more to do.
if (process.env.npm_lifecycle_event !== 'preinstall' && !isInstalled()) {
  try {
    takeLock();
  } catch (error) {
    fail(
      `${root} cannot be written (${/** @type {NodeJS.ErrnoException} */ (error).code}): run this as the account that owns it.`,
    );
  }
  process.once('exit', () => rmSync(lock, { force: true }));
  if (!isInstalled()) install();
}
noteDuration();
