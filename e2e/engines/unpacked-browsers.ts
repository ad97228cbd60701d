import { type ChildProcess, spawn } from 'node:child_process';
import { findOrUnpack, isDebian, missingOf } from '../../apps/api/test/debian-packages.ts';

const MINI_BROWSER = 'usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';
const PACKAGES: Record<string, string> = {
  'webkit2gtk-driver': MINI_BROWSER,
  'firefox-esr': 'usr/bin/firefox-esr',
  xvfb: 'usr/bin/Xvfb',
};
/**
 * In namespaces of its own: WebKit finds its processes at fixed paths only, the machine stays as it is, and all that a
 * browser starts ends with it.
 */
const NAMESPACES = ['--mount', '--pid', '--fork', '--mount-proc', '--kill-child'];
const OVER_USR = 'mount -t overlay overlay -o "lowerdir=$1/usr:/usr" /usr && shift && exec "$@"';

export const WEBKIT_BROWSER = `/${MINI_BROWSER}`;

/** Returns the folder into which Debian's WebKit and Firefox are unpacked; otherwise the reason, for people. */
export async function unpackBrowsers(): Promise<{ folder: string } | { missing: string }> {
  if (!isDebian() || process.arch !== 'x64' || process.getuid?.() !== 0)
    return { missing: 'WebKit and Firefox run on Debian, by root, on x86-64 only' };
  return findOrUnpack({
    name: 'browsers',
    label: 'WebKit and Firefox',
    packages: Object.keys(PACKAGES),
    findMissing: missingOf(Object.values(PACKAGES)),
  });
}

/** Starts a program of the unpacked packages; what it starts ends with it. */
export function startUnpacked(folder: string, command: string[], env: Record<string, string>): ChildProcess {
  return spawn('unshare', [...NAMESPACES, 'sh', '-c', OVER_USR, 'sh', folder, ...command], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
