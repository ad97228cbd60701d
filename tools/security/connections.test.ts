import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findEnvNames } from '../check/docs.ts';
import { ROOT } from '../project/project.ts';

const SOURCES = 'apps/api/src/';

const settings = findEnvNames(readFileSync(join(ROOT, SOURCES, 'platform/env.ts'), 'utf8'));

/** What each file of the server connects to: rows of the table "Connections of the server" of SECURITY.md. */
const CONNECTIONS: Record<string, string[]> = {
  'accounts/pages/mail.ts': ['mail server'],
  'accounts/provider/provider-link.ts': ['external provider, and the addresses that it names'],
  'acme/acme-client.ts': ['certificate authority, and the addresses that it names'],
  'database/database.ts': ['PostgreSQL'],
  'database/embedded-postgres/postmaster.ts': ['PostgreSQL'],
  'database/notification-check.ts': ['PostgreSQL'],
  'database/start-lock.ts': ['PostgreSQL'],
  'doctor/call-server.ts': ["the server's own address and ports"],
  'doctor/public-address.ts': ["the server's own address and ports"],
  'doctor/services.ts': ["the server's own address and ports", 'Overpass server'],
  'events/event-channel.ts': ['PostgreSQL'],
  'http/outgoing.ts': ['name servers, for all names above'],
  'http/public-names.ts': ['name servers, for all names above'],
  'metrics/traces.ts': ['collector of traces'],
  'modules/backups/schema.ts': ['PostgreSQL'],
  'modules/claims/site-client.ts': ['web sites of centers that are claimed'],
  'modules/notifications/push-client.ts': ['push services'],
  'modules/sport-centers/import/fetch-overpass.ts': ['Overpass server'],
  'modules/tiles/archive/redirects.ts': ['maps, also by redirects'],
};
/** Files that only look as if they connected. */
const OTHERS: Record<string, string> = {
  'cli/backup/shared/texts.ts': 'the class of the errors of PostgreSQL',
  'phone/guide.ts': 'a script of the browser',
  'phone/local-address.ts': 'a socket by which the system names its own address, and which sends nothing',
};

/** Imports that can open connections, and calls of the global fetch. */
const CONNECTING = [
  /import (?!type )[^;]*?\b(?<!type )(?:connect|createConnection|createSocket|request|get|lookup|resolve\w*|Resolver)\b[^;]*? from 'node:(?:https?|http2|net|tls|dgram|dns(?:\/promises)?)'/,
  /import (?!type )[^;]*? from '(?:nodemailer|pg|undici|ws|@opentelemetry\/exporter-[\w-]+)'/,
  /import (?!type )[^;]*?\bcreateOutgoing\b[^;]*? from '[^']+'/,
  /(?<![.\w])fetch\(/,
];
const connects = (source: string) => CONNECTING.some((pattern) => pattern.test(source));

/** Rows of the table in SECURITY.md. */
const section = /^## Connections of the server\n([\s\S]*)/m.exec(readFileSync(join(ROOT, 'SECURITY.md'), 'utf8'))?.[1];
const rows = (section ?? '')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, to = '', named_by = '']) => ({ to, settings: [...named_by.matchAll(/`(\w+)`/g)].map(([, name]) => name) }));

test.each([
  "import { request } from 'node:https';",
  "import { type IncomingMessage, request as requestHttp } from 'node:http';",
  "import { Resolver } from 'node:dns/promises';",
  "import pg from 'pg';",
  "import { createOutgoing, INTERNET } from '../http/outgoing.ts';",
  "const reply = await fetch('https://example.org');",
])('a file that connects is found: %s', (source) => {
  expect(connects(source)).toBe(true);
});

test.each([
  "import { createServer, type IncomingMessage } from 'node:http';",
  "import type { Socket } from 'node:net';",
  "import { isIP } from 'node:net';",
  'await cell.fetch(1);',
])('a file that does not is left out: %s', (source) => {
  expect(connects(source)).toBe(false);
});

test('SECURITY.md lists all that the server connects to, and nothing else', () => {
  const files = globSync(`${SOURCES}**/*.ts`, { cwd: ROOT }).filter((path) => !path.endsWith('.test.ts'));
  const found = files.filter((path) => connects(readFileSync(join(ROOT, path), 'utf8')));
  const expected = [...Object.keys(CONNECTIONS), ...Object.keys(OTHERS)].map((path) => SOURCES + path);
  expect(found.sort()).toEqual(expected.sort());
  expect(rows.map(({ to }) => to).sort()).toEqual([...new Set(Object.values(CONNECTIONS).flat())].sort());
});

test('SECURITY.md names each setting that is an address of another server, and only settings that exist', () => {
  const named = rows.flatMap((row) => row.settings);
  expect(named.filter((name = '') => !settings.includes(name))).toEqual([]);
  const addresses = settings.filter((name) => /_(?:URL|ISSUER|DIRECTORY|ENDPOINT)$|^MAP_/.test(name));
  // A page that the browser opens.
  expect(addresses.filter((name) => name !== 'OIDC_SIGNUP_URL' && !named.includes(name))).toEqual([]);
});
