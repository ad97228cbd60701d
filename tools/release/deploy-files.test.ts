import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../project/project.ts';
import { readContainerfile } from './containerfile.ts';
import { listReleaseFiles } from './release-files.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const image = readContainerfile(read('deploy/Containerfile'));
const unit = read('deploy/sendlap.service').split('\n');
const compose = read('deploy/compose.yaml');
const manifests = read('deploy/kubernetes.yaml');
/** The tests run before a build: what it makes is taken as made. */
const files = listReleaseFiles({ is_built: false });
/** What a release has beside the image: the start by npm, the other ways to run it, and texts. */
const BESIDE_IMAGE = /^(?:tools|deploy|docs)\/|^(?:LICENSE|CHANGELOG\.md|\.dockerignore)$/;

test('The image copies exactly the files that a release runs, and no path that is not there', () => {
  const isOf = (source: string) => (file: string) => file === source || file.startsWith(`${source}/`);
  const built = ['apps/api/dist/world.pmtiles', 'apps/web/dist'];
  expect(image.sources.filter((source) => !built.includes(source) && !files.some(isOf(source)))).toEqual([]);
  const forgotten = files.filter((file) => !BESIDE_IMAGE.test(file) && !image.sources.some((one) => isOf(one)(file)));
  expect(forgotten).toEqual([]);
});

test('A release holds no test, no source of the app and no setting', () => {
  expect(files.filter((file) => /\.test\.|^apps\/web\/src|\/test\/|\.env/.test(file))).toEqual([]);
});

test('A release holds every file to which its pages link', () => {
  const linked = files
    .filter((path) => /^docs\/.*\.md$/.test(path))
    .flatMap((path) => {
      const links = [...read(path).matchAll(/\]\(([^)#:]+)[^):]*\)/g)];
      return links.map(([, link = '']) => join(dirname(path), link));
    });
  expect(linked).toContain('docs/how-to/run-three-database-servers.md');
  expect(linked.filter((path) => !files.includes(path))).toEqual([]);
});

test('The image runs the server as a numeric user without rights, and checks it without curl', () => {
  expect(image.user).toMatch(/^[1-9]\d{3,}:[1-9]\d{3,}$/);
  expect(image.environment).toMatchObject({ NODE_ENV: 'production', DATA_DIR: '/data', HOST: '0.0.0.0' });
  expect(image.command.at(-1)).toBe('apps/api/src/main.ts');
  expect(image.health_check[0]).toBe('node');
  expect(image.health_check.join(' ')).toContain('/healthz');
});

test('The compose file has at most 25 lines, a read-only app without rights, and two profiles', () => {
  expect(compose.trimEnd().split('\n').length).toBeLessThanOrEqual(25);
  for (const line of ['read_only: true', 'cap_drop: [ALL]', 'profiles: [postgres]', 'profiles: [proxy]'])
    expect(compose).toContain(line);
});

test('Each service of the compose file starts again after a restart of the machine', () => {
  const services = compose.split(/^ {2}(?=\w+:$)/m).slice(1);
  expect(services.map((text) => /^\w+/.exec(text)?.[0])).toEqual(['app', 'database', 'proxy']);
  for (const text of services) expect(text).toContain('restart: unless-stopped');
});

test.each([
  'NoNewPrivileges=yes',
  'ProtectSystem=strict',
  'ProtectHome=yes',
  'PrivateTmp=yes',
  'PrivateDevices=yes',
  'PrivateUsers=yes',
  'CapabilityBoundingSet=',
  'ProtectProc=invisible',
  'ProtectKernelTunables=yes',
  'ProtectControlGroups=yes',
  'RestrictNamespaces=yes',
  'RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX',
  'SystemCallFilter=@system-service',
  'User=sendlap',
])('The systemd unit keeps %s', (line) => expect(unit).toContain(line));

test('The systemd unit and the image start the server by the same command', () => {
  const start = unit.find((line) => line.startsWith('ExecStart=')) ?? '';
  expect(start).toBe(`ExecStart=/opt/sendlap/node_modules/.bin/${image.command.join(' ')}`);
});

test('The systemd unit and the image limit the arenas of malloc as `npm start` does', () => {
  const [limit = 'none'] = /MALLOC_ARENA_MAX=\d+/.exec(JSON.parse(read('package.json')).scripts.start) ?? [];
  expect(unit.find((line) => line.startsWith('Environment='))).toContain(limit);
  expect(`MALLOC_ARENA_MAX=${image.environment.MALLOC_ARENA_MAX}`).toBe(limit);
});

test('The manifests keep the backups on a volume that outlives the nodes', () => {
  const [, folder = ''] = /^ {2}BACKUP_DIR: (\S+)$/m.exec(manifests) ?? [];
  const [, volume = ''] = new RegExp(`\\{ name: (\\w+), mountPath: ${folder} \\}`).exec(manifests) ?? [];
  const [, claim = ''] =
    new RegExp(`\\{ name: ${volume}, persistentVolumeClaim: \\{ claimName: ([\\w-]+) \\} \\}`).exec(manifests) ?? [];
  expect(manifests).toContain(`kind: PersistentVolumeClaim\nmetadata: { name: ${claim} }`);
  expect([folder, volume, claim]).not.toContain('');
});

test('The manifests probe the addresses of health, as the image runs: its user, read-only, its port', () => {
  const probes = [...manifests.matchAll(/(\w+)Probe: \{ httpGet: \{ path: (\S+),/g)].map(([, kind, path]) => [
    kind,
    path,
  ]);
  expect(probes).toEqual([
    ['startup', '/healthz'],
    ['liveness', '/healthz'],
    ['readiness', '/readyz'],
  ]);
  const [uid, gid] = image.user.split(':');
  for (const line of [`runAsUser: ${uid}`, `runAsGroup: ${gid}`, 'readOnlyRootFilesystem: true', 'containerPort: 8000'])
    expect(manifests).toContain(line);
});
