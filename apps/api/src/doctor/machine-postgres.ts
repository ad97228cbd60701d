import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { EXTENSIONS } from '#api/database/database-requirements.ts';
import { type Finding, findingsOf } from './finding.ts';

const VERSION_TIMEOUT_MS = 5_000;
/** Where Debian, Fedora and Homebrew put the programs of a major version. */
const MACHINE_FOLDERS = (major: number): string[] => [
  `/usr/lib/postgresql/${major}/bin`,
  `/usr/pgsql-${major}/bin`,
  `/opt/homebrew/opt/postgresql@${major}/bin`,
];

/** From the folder of the programs: of Fedora, of Debian and, twice, of Homebrew. */
const EXTENSION_FOLDERS = (major: number): string[] => [
  '../share/extension',
  `../../../../share/postgresql/${major}/extension`,
  `../share/postgresql@${major}/extension`,
  '../share/postgresql/extension',
];

/**
 * Returns a note if this machine has newer programs, with the extensions of Sendlap, of the embedded database's major
 * version, which has no updates of its own: `server_version` is that of the running one, such as '18.1'.
 */
export function describeMachinePostgres(
  server_version: string,
  folders: readonly string[] = MACHINE_FOLDERS(Number.parseInt(server_version, 10)),
): Finding[] {
  const running = parseVersion(server_version);
  const newest = folders
    .map((folder) => ({ folder, version: readVersion(folder) }))
    .filter(({ folder, version }) => version?.major === running?.major && hasExtensions(folder, version?.major))
    .sort((a, b) => (b.version?.minor ?? 0) - (a.version?.minor ?? 0))[0];
  if (!running || !newest?.version || newest.version.minor <= running.minor) return [];
  const { folder, version } = newest;
  return [
    findingsOf('postgres').lacking(
      `this machine has PostgreSQL ${version.major}.${version.minor}, newer than the ${server_version} that runs: set POSTGRES_BIN to ${folder}, and restart`,
    ),
  ];
}

/** On some systems the extensions are a package of their own. */
function hasExtensions(folder: string, major = 0): boolean {
  return EXTENSION_FOLDERS(major).some((path) =>
    EXTENSIONS.every((name) => existsSync(join(folder, path, `${name}.control`))),
  );
}

function readVersion(folder: string): { major: number; minor: number } | undefined {
  if (!['postgres', 'initdb'].every((program) => existsSync(join(folder, program)))) return undefined;
  const { stdout } = spawnSync(join(folder, 'postgres'), ['--version'], {
    ...{ encoding: 'utf8', timeout: VERSION_TIMEOUT_MS },
  });
  return parseVersion(/^postgres \(PostgreSQL\) (\d\S*)/.exec(stdout ?? '')?.[1] ?? '');
}

/** Undefined for a version that is not released, such as '19beta1'. */
function parseVersion(text: string): { major: number; minor: number } | undefined {
  const [, major, minor] = /^(\d+)\.(\d+)$/.exec(text) ?? [];
  return major === undefined ? undefined : { major: Number(major), minor: Number(minor) };
}
