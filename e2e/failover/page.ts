import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findBlock } from '../proxies/snippets.ts';
import { ROOT } from '../server/journey-environment.ts';

const PAGE = 'docs/how-to/run-three-database-servers.md';
const FIRST = { name: 'db1', address: '10.0.0.11' };
const NETWORK = '10.0.0.0/24';
const PASSWORD = 'secret';
/** Header of a request that changes something at Patroni. */
export const PATRONI_AUTHORIZATION = `Basic ${Buffer.from(`patroni:${PASSWORD}`).toString('base64')}`;

/** Returns where the page keeps PostgreSQL's data, below the home of its account. */
export function dataFolder(): string {
  const [, folder] = /data_dir: \/var\/lib\/postgresql\/(\S+)/.exec(readBlock('yaml patroni')) ?? [];
  if (!folder) throw new Error(`${PAGE} names no data_dir`);
  return folder;
}

/** A database server of the page on this machine: each of its ports is another port of 127.0.0.1. */
export interface DatabaseServer {
  name: string;
  /** On the page. */
  address: string;
  ports: Record<2379 | 2380 | 5432 | 8008, number>;
}

/** Environment of a server's etcd. */
export function etcdEnvironment(all: readonly DatabaseServer[], own: DatabaseServer, folder: string) {
  const text = onThisMachine(readBlock('sh etcd'), all, own).replace('/var/lib/etcd', folder);
  return Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map((line) => split(line)),
  );
}

function split(line: string): [name: string, value: string] {
  const at = line.indexOf('=');
  return [line.slice(0, at), line.slice(at + 1)];
}

/** `is_synchronous`: as on the page; otherwise commits do not wait for a second server. */
export function patroniFile(
  all: readonly DatabaseServer[],
  own: DatabaseServer,
  { folder, bin_dir, is_synchronous }: { folder: string; bin_dir: string; is_synchronous: boolean },
): string {
  const text = onThisMachine(readBlock('yaml patroni'), all, own)
    .replace('/usr/lib/postgresql/17/bin', bin_dir)
    .replaceAll(/\/var\/(lib|run)\/postgresql/g, folder)
    .replaceAll('…', PASSWORD)
    .replaceAll(NETWORK, '127.0.0.1/32');
  return is_synchronous ? text : text.replaceAll(/(synchronous_mode\w*): true/g, '$1: false');
}

export function haproxyFile(all: readonly DatabaseServer[], port: number): string {
  const lines = readBlock('haproxy leader').replace('5433', String(port)).split('\n');
  return lines.map((line) => leadTo(line, all)).join('\n');
}

function leadTo(line: string, all: readonly DatabaseServer[]): string {
  const server = all.find(({ address }) => line.includes(address));
  if (!server) return line;
  return line
    .replace(`${server.address}:5432`, `127.0.0.1:${server.ports[5432]}`)
    .replace('port 8008', `port ${server.ports[8008]}`);
}

/** Statements that make role and database, and the address that a node gets for them. */
export function databaseOf(port: number): { statements: string[]; admin_url: string; url: string } {
  const statements = readBlock('sql database').replaceAll('…', PASSWORD).trim().split('\n');
  const at = `${PASSWORD}@127.0.0.1:${port}`;
  return { statements, admin_url: `postgres://postgres:${at}/postgres`, url: `postgres://sendlap:${at}/sendlap` };
}

function readBlock(language: string): string {
  return findBlock(readFileSync(join(ROOT, PAGE), 'utf8'), language);
}

/** Lines with one address are of the server itself, those with all addresses stay the list of all. */
function onThisMachine(text: string, all: readonly DatabaseServer[], own: DatabaseServer): string {
  const lines = text.split('\n').map((line) => {
    if (all.every(({ address }) => line.includes(address))) return line;
    return line
      .replace(FIRST.address, own.address)
      .replace(new RegExp(`(name[:=] ?)${FIRST.name}$`, 'i'), `$1${own.name}`);
  });
  return all.reduce(
    (changed, { address, ports }) =>
      Object.entries(ports).reduce(
        (one, [port, local]) => one.replaceAll(`${address}:${port}`, `127.0.0.1:${local}`),
        changed,
      ),
    lines.join('\n'),
  );
}
