import { spawnSync } from 'node:child_process';

/** Returns how exposed systemd finds a unit, from 0 (safe) to 10, or says why there is no answer. */
export function readExposure(unit: string): { level: number } | { missing: string } {
  const { error, stdout, stderr } = spawnSync('systemd-analyze', ['security', '--offline=yes', '--no-pager', unit], {
    encoding: 'utf8',
  });
  if (error) return { missing: `systemd-analyze cannot run (${error.message}): install the package systemd` };
  const [, level] = /Overall exposure level for \S+: (\d+\.\d+)/.exec(stdout) ?? [];
  return level
    ? { level: Number(level) }
    : { missing: `systemd-analyze gives no level: ${stderr.trim().slice(0, 200)}` };
}
