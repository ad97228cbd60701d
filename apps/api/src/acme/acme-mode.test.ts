import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { findFreePort } from '#test/free-port.ts';
import { type AcmeFault, AcmeServer } from '#test/servers/acme-server.ts';
import type { TlsPair } from '../http/listening/tls.ts';
import { type AcmeMode, openAcmeMode } from './acme-mode.ts';

const DAY_MS = 86_400_000;
const HOST = 'club.example';

let folder: string;
let http_port: number;
let acme_server: AcmeServer;
let open: AcmeMode[];
let log: string[];
/** Errors that were logged. */
let failures: unknown[];
let shift_ms: number;
const now = () => new Date(Date.now() + shift_ms);

beforeEach(async () => {
  shift_ms = 0;
  log = [];
  failures = [];
  open = [];
  folder = await mkdtemp(join(tmpdir(), 'sendlap-acme-'));
  http_port = await findFreePort();
  acme_server = await AcmeServer.start(http_port, now);
});
afterEach(async () => {
  vi.useRealTimers();
  for (const mode of open) await mode.close();
  await acme_server.close();
  await rm(folder, { recursive: true });
});

async function start(): Promise<AcmeMode> {
  const env = {
    HOST: '127.0.0.1',
    HTTP_PORT: http_port,
    PUBLIC_URL: `https://${HOST}`,
    ACME_DIRECTORY: acme_server.directory_url,
  };
  function note(fields: object, text: string): void {
    log.push(text);
    if ('err' in fields) failures.push(fields.err);
  }
  const logger = { info: note, warn: note } as Parameters<typeof openAcmeMode>[0]['log'];
  const mode = await openAcmeMode({ env, email: 'owner@club.example', data_dir: folder, log: logger, now });
  open.push(mode);
  return mode;
}

const acmeFolder = () => join(folder, 'acme', new URL(acme_server.directory_url).host.replace(':', '-'));
const certificateFile = () => join(acmeFolder(), `${HOST}.pem`);

async function restart(): Promise<AcmeMode> {
  for (const mode of open.splice(0)) await mode.close();
  return start();
}

test('the first start obtains a certificate with its own key, which later starts use', async () => {
  const { tls } = await start();
  const certificate = new X509Certificate(tls.cert);
  expect(certificate.subjectAltName).toBe(`DNS:${HOST}`);
  expect(certificate.verify(new X509Certificate(acme_server.ca_certificate).publicKey)).toBe(true);
  createSecureContext(tls);
  expect([...acme_server.accounts.values()]).toEqual([['mailto:owner@club.example']]);
  expect((await stat(certificateFile())).mode & 0o777).toBe(0o600);
  expect((await restart()).tls).toEqual(tls);
  expect(acme_server.issued).toBe(1);
});

test('a certificate in its last third is renewed, for the same account, and given to the running server', async () => {
  const { tls } = await start();
  shift_ms = 59 * DAY_MS;
  expect((await restart()).tls).toEqual(tls);
  shift_ms = 61 * DAY_MS;
  const mode = await restart();
  expect(mode.tls.cert).not.toBe(tls.cert);
  shift_ms = 122 * DAY_MS;
  const { promise, resolve } = Promise.withResolvers<TlsPair>();
  mode.renewFor({ setSecureContext: (context) => resolve(context as TlsPair) });
  const renewed = await promise;
  expect(renewed.cert).not.toBe(mode.tls.cert);
  expect(await readFile(certificateFile(), 'utf8')).toBe(`${renewed.key}${renewed.cert}`);
  expect([acme_server.issued, acme_server.accounts.size]).toEqual([3, 1]);
});

describe('a CA that refuses stops the first start with one line that names the setting:', () => {
  test.each<[AcmeFault, string]>([
    ['rate_limited', 'too many certificates already issued'],
    ['unreachable_challenge', `${HOST} did not answer at port 80`],
    ['refused_order', 'the order was refused'],
    ['no_http_challenge', 'offers no http-01 challenge'],
    ['bad_nonce', 'unknown nonce'],
    ['garbage', 'a reply that does not follow RFC 8555'],
    ['other_json', 'a reply that does not follow RFC 8555'],
    ['no_account_url', 'a reply that does not follow RFC 8555'],
    ['no_order_url', 'a reply that does not follow RFC 8555'],
  ])('%s', async (fault, reason) => {
    acme_server.fault = fault;
    await expect(start()).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(`^ACME_EMAIL: no certificate for ${HOST}: .*${reason}[^\n]*$`),
    });
    expect(acme_server.issued).toBe(0);
    // Its port is free again.
    acme_server.fault = undefined;
    await start();
  });
});

test('after a refused renewal the certificate stays in use until it expires; then a start is refused', async () => {
  const { tls } = await start();
  acme_server.fault = 'rate_limited';
  shift_ms = 89 * DAY_MS;
  const mode = await restart();
  expect(mode.tls).toEqual(tls);
  expect(log).toContain('the certificate was not renewed');
  // The renewal does not repeat an attempt of the same minute.
  mode.renewFor({ setSecureContext: () => {} });
  await mode.close();
  expect(acme_server.orders).toBe(2);
  shift_ms = 91 * DAY_MS;
  await expect(restart()).rejects.toThrow(/^ACME_EMAIL: no certificate for club\.example: too many/);
});

test('a refused renewal is tried again at the next check, also by a clock that lags', async () => {
  await start();
  acme_server.fault = 'rate_limited';
  shift_ms = 61 * DAY_MS;
  const mode = await restart();
  acme_server.fault = undefined;
  shift_ms += DAY_MS / 2 - 60_000;
  const { promise, resolve } = Promise.withResolvers<void>();
  mode.renewFor({ setSecureContext: () => resolve() });
  await promise;
  expect(acme_server.issued).toBe(2);
});

test('a renewed certificate that the server did not take is handed over again at the next check', async () => {
  const mode = await start();
  shift_ms = 61 * DAY_MS;
  const handed_over: unknown[] = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  mode.renewFor({
    setSecureContext(context) {
      handed_over.push(context);
      if (handed_over.length === 1) throw new Error('not taken');
    },
  });
  await expect.poll(() => log).toContain('the certificate was not renewed');
  vi.advanceTimersByTime(DAY_MS / 2);
  await expect.poll(() => handed_over.length).toBe(2);
  expect(handed_over[1]).toEqual(handed_over[0]);
  expect(acme_server.issued).toBe(2);
});

test('a CA that cannot be reached is named', async () => {
  const { directory_url } = acme_server;
  await acme_server.close();
  const { host } = new URL(directory_url);
  await expect(start()).rejects.toThrow(`ACME_EMAIL: no certificate for ${HOST}: ${host} cannot be reached`);
  acme_server = await AcmeServer.start(http_port, now);
});

test('a certificate of one CA does not pass for that of another', async () => {
  const { tls } = await start();
  const first = acme_server;
  acme_server = await AcmeServer.start(http_port, now);
  expect((await restart()).tls.cert).not.toBe(tls.cert);
  expect(acme_server.issued).toBe(1);
  await first.close();
});

test('a folder in the place of the certificate is named', async () => {
  await mkdir(join(certificateFile(), 'a folder'), { recursive: true });
  await expect(start()).rejects.toThrow(/cannot be read \(EISDIR\)/);
});

test('a damaged account stops the start with one line', async () => {
  await start();
  await writeFile(join(acmeFolder(), 'account.pem'), 'torn');
  await expect(restart()).rejects.toThrow(/^The file .+account\.pem is damaged: delete it; [^\n]+$/);
});

test('the end of the server does not wait for the CA', async () => {
  await start();
  shift_ms = 61 * DAY_MS;
  const mode = await restart();
  shift_ms = 122 * DAY_MS;
  acme_server.fault = 'never_decides';
  const reads = acme_server.authorization_reads;
  mode.renewFor({ setSecureContext: () => {} });
  // The second read of the authorization is the first poll.
  await expect.poll(() => acme_server.authorization_reads).toBe(reads + 2);
  await mode.close();
  expect(failures).toMatchObject([{ name: 'AcmeError', message: 'the attempt was aborted' }]);
});

test('a damaged certificate is replaced', async () => {
  await start();
  await writeFile(certificateFile(), 'torn');
  await restart();
  expect(acme_server.issued).toBe(2);
});

test('a port in use is named by its setting', async () => {
  const other = createServer().listen(http_port, '127.0.0.1');
  await once(other, 'listening');
  await expect(start()).rejects.toThrow(/^HTTP_PORT: port \d+ on 127\.0\.0\.1 is taken: .+ set HTTP_PORT to/);
  other.close();
  await once(other, 'close');
});

test('plain http sends browsers on to the public address, and nowhere else', async () => {
  await start();
  const location = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${http_port}${path}`, { redirect: 'manual' });
    return [response.status, response.headers.get('location')];
  };
  expect(await location('/qr/scan?a=1')).toEqual([308, `https://${HOST}/qr/scan?a=1`]);
  expect(await location('//other.example/x')).toEqual([308, `https://${HOST}/`]);
  expect(await location('/.well-known/acme-challenge/unknown')).toEqual([
    308,
    `https://${HOST}/.well-known/acme-challenge/unknown`,
  ]);
});

test('plain http does not redirect a call of a program, which would keep sending its secrets unencrypted', async () => {
  await start();
  const ask = (path: string, method: string) =>
    fetch(`http://127.0.0.1:${http_port}${path}`, { method, redirect: 'manual', headers: { accept: 'text/html' } });
  for (const [path, method] of [
    ['/v1/auth/login', 'POST'],
    ['/v1/auth/me', 'GET'],
    ['/oidc/token', 'POST'],
    ['/dashboard', 'DELETE'],
  ] as const) {
    const response = await ask(path, method);
    expect([path, response.status, response.headers.get('location')]).toEqual([path, 421, null]);
    expect(await response.text()).toContain(`https://${HOST}`);
  }
});
