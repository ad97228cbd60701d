import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer as createTlsServer, rootCertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeCertificate } from '#test/certificate.ts';
import { issueCertificate, nameOfCa, openLocalCa } from './local-ca.ts';

const NOW = new Date('2026-11-26T12:00:00Z');
const YEAR_MS = 365 * 86_400_000;

const openFolder = () => mkdtemp(join(tmpdir(), 'sendlap-ca-'));
let made: string;
let folder: string;
beforeAll(async () => {
  made = await openFolder();
  await openLocalCa(made, 'laptop', NOW);
});
afterAll(() => rm(made, { recursive: true }));
beforeEach(async () => {
  folder = await openFolder();
});
afterEach(() => rm(folder, { recursive: true }));

/** Copies the CA that was made once: its keys take half a second. */
const copyMadeCa = () => copyFile(join(made, 'ca.pem'), join(folder, 'ca.pem'));

const open = (now = NOW) => openLocalCa(folder, 'laptop', now);

test('a local CA is made once and stored, readable by its owner only', async () => {
  const first = await open();
  expect(first.name).toMatch(/^Sendlap laptop [\da-f]{4}$/);
  // As strong as 128 bits.
  expect(new X509Certificate(first.certificate).publicKey.asymmetricKeyDetails?.modulusLength).toBe(3072);
  expect((await stat(join(folder, 'ca.pem'))).mode & 0o777).toBe(0o600);
  expect(await open(new Date(NOW.getTime() + YEAR_MS))).toEqual(first);
  expect(await readdir(folder)).toEqual(['ca.pem']);
});

test('a new CA is made before the old one expires', async () => {
  await copyMadeCa();
  const first = await open();
  const later = await open(new Date(NOW.getTime() + 9.9 * YEAR_MS));
  expect(later.fingerprint).not.toBe(first.fingerprint);
  expect(await open(new Date(NOW.getTime() + 9.9 * YEAR_MS))).toEqual(later);
});

test('a CA that was made while the clock was ahead is replaced', async () => {
  await copyMadeCa();
  const early = await open();
  expect((await open(new Date(NOW.getTime() - YEAR_MS))).fingerprint).not.toBe(early.fingerprint);
});

test('the name of a machine becomes a name that every TLS library can read', async () => {
  const made = await openLocalCa(folder, 'PC José', NOW);
  expect(made.name).toMatch(/^Sendlap PC-Jos- [\da-f]{4}$/);
  expect(await openLocalCa(folder, 'PC José', NOW)).toEqual(made);
  expect(nameOfCa('my_laptop')).toMatch(/^Sendlap my-laptop [\da-f]{4}$/);
  expect(nameOfCa('ноутбук')).toMatch(/^Sendlap - [\da-f]{4}$/);
  expect(nameOfCa('x'.repeat(63))).toMatch(/^Sendlap x{40} [\da-f]{4}$/);
});

test('a folder that cannot be written stops the start with one line', async () => {
  await writeFile(join(folder, 'file'), '');
  const refused = openLocalCa(join(folder, 'file', 'phone'), 'laptop', NOW);
  await expect(refused).rejects.toMatchObject({
    name: 'StartError',
    message: expect.stringMatching(/cannot be (read|written)/),
  });
});

describe('a file that is damaged stops the start and stays as it is:', () => {
  test.each([
    ['cut off', (pem: string) => pem.slice(0, -200)],
    ['empty', () => ''],
    ['without its certificate', (pem: string) => pem.slice(pem.indexOf('-----BEGIN RSA'))],
    ['with another key', (pem: string) => pem.replace(/-----BEGIN RSA[\s\S]+/, makeCertificate().key)],
    ['of a CA for all hosts', () => Object.values(makeCertificate()).join('')],
    ['changed', (pem: string) => pem.replace(/[A-Z]{3}/, 'AAA').replaceAll('q', 'Q')],
  ])('%s', async (_name, damage) => {
    await copyMadeCa();
    const file = join(folder, 'ca.pem');
    const damaged = damage(await readFile(file, 'utf8'));
    await writeFile(file, damaged);
    await expect(open()).rejects.toThrow(/^The file .+ca\.pem is damaged: delete it/);
    expect(await readFile(file, 'utf8')).toBe(damaged);
  });
});

/**
 * Connects over TLS to a server with a certificate of the local CA for `host`. The client trusts `roots`, by default the
 * local CA. Returns the client's error, if any.
 */
async function findTrustError(host: string, roots?: readonly string[]): Promise<string | undefined> {
  await copyMadeCa();
  const now = new Date();
  const local_ca = await open(now);
  const server = createTlsServer(issueCertificate(local_ca, [host], now), (socket) => void socket.end());
  server.on('tlsClientError', () => {}).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ca = [...(roots ?? [local_ca.pair.cert])];
  const client = connect({ port, host: '127.0.0.1', ca, checkServerIdentity: () => undefined });
  const error = await once(client, 'secureConnect').then(
    () => undefined,
    ({ message }: Error) => message,
  );
  client.destroy();
  server.close();
  return error;
}

describe('a client that trusts the local CA', () => {
  test.each(['192.168.1.20', '10.0.0.7', '172.31.9.9', '127.0.0.1', 'localhost', 'laptop.local', 'nas.home.arpa'])(
    'accepts its certificate for %s in a local network',
    async (host) => {
      expect(await findTrustError(host)).toBeUndefined();
    },
  );

  test.each(['bank.example', 'localhost.example', '8.8.8.8', '172.32.0.1', '2001:db8::1', 'xlocal'])(
    'refuses its certificate for %s on the internet',
    async (host) => {
      expect(await findTrustError(host)).toBe('permitted subtree violation');
    },
  );
});

test('a client that does not trust the local CA refuses its certificates', async () => {
  expect(await findTrustError('192.168.1.20', rootCertificates)).toBe('self-signed certificate in certificate chain');
});

test('a certificate names all its hosts, and lasts less than the 825 days that phones allow', async () => {
  await copyMadeCa();
  const { cert } = issueCertificate(await open(), ['192.168.1.20', 'laptop.local'], NOW);
  const certificate = new X509Certificate(cert);
  expect(certificate.subjectAltName).toBe('IP Address:192.168.1.20, DNS:laptop.local');
  expect(certificate.ca).toBe(false);
  const days = (certificate.validToDate.getTime() - certificate.validFromDate.getTime()) / 86_400_000;
  expect(days).toBeLessThan(825);
  expect(certificate.validFromDate.getTime()).toBeLessThan(NOW.getTime());
});
