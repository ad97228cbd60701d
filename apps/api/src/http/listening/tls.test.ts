import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectionOptions, connect as connectTls, createServer as createTlsServer, Server } from 'node:tls';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readEnv } from '#api/platform/env.ts';
import { buildTestApp } from '#test/app/app.ts';
import { type MadeCertificate, makeCertificate } from '#test/certificate.ts';
import { createServer } from '../server.ts';
import { readTls, reloadTls } from './tls.ts';

/** OpenSSL gives old versions only to those who ask for them. */
const OLD_CIPHERS = 'DEFAULT@SECLEVEL=0';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sendlap-tls-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function write(text: string): string {
  files += 1;
  const path = join(folder, `${files}.pem`);
  writeFileSync(path, text);
  return path;
}

const writePair = ({ cert, key }: MadeCertificate) => ({ TLS_CERT: write(cert), TLS_KEY: write(key) });

describe('a pair that cannot be used is refused with one line:', () => {
  const good = makeCertificate();
  const { privateKey } = generateKeyPairSync('ed25519');
  const locked = privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' }).toString();

  test.each([
    ['a certificate of another key', { ...good, key: makeCertificate().key }, /^TLS_KEY: .+ does not fit/],
    ['one that has expired', makeCertificate({ to: Date.now() - 1000 }), /^TLS_CERT: .+ expired on \d{4}-\d\d-\d\d/],
    ['one of the future', makeCertificate({ from: Date.now() + 86_400_000 }), /^TLS_CERT: .+ is valid from \d{4}/],
    ['a text instead of a certificate', { ...good, cert: 'hello' }, /^TLS_CERT: .+ certificate in PEM form/],
    ['an empty certificate', { ...good, cert: '' }, /^TLS_CERT: .+ certificate in PEM form/],
    ['a certificate instead of a key', { ...good, key: good.cert }, /^TLS_KEY: .+ no private key in PEM form/],
    ['a key behind a password', { ...good, key: locked }, /^TLS_KEY: .+ is locked with a password/],
  ])('%s', (_name, pair, words) => {
    const read = () => readTls(readEnv(writePair(pair)));
    expect(read).toThrow(expect.objectContaining({ name: 'StartError' }));
    expect(read).toThrow(words);
    expect(read).toThrow(/^[^\n]+$/);
  });

  test('a missing file', () => {
    const TLS_CERT = write(good.cert);
    const TLS_KEY = join(folder, 'none.pem');
    expect(() => readTls({ TLS_CERT, TLS_KEY })).toThrow(`TLS_KEY: the file ${TLS_KEY} cannot be read (ENOENT)`);
    expect(() => readTls({ TLS_CERT: folder, TLS_KEY })).toThrow(/^TLS_CERT: .+ cannot be read \(EISDIR\)$/);
  });
});

test('with a pair the public address is https, without one it is not', () => {
  expect(readEnv({ TLS_CERT: 'a', TLS_KEY: 'b', PORT: '8443' }).PUBLIC_URL).toBe('https://localhost:8443');
  expect(readEnv({ PORT: '8443' }).PUBLIC_URL).toBe('http://localhost:8443');
  expect(readTls(readEnv({}))).toBeUndefined();
});

/** Requests a URL on a new connection. Returns the response once it was read in full. */
async function get(url: string, ca: string) {
  const request = https.get(url, { ca, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response;
}

test('the app answers over https as behind a proxy, and takes a renewed pair without a restart', async () => {
  const [old, renewed] = [makeCertificate(), makeCertificate()];
  const env = writePair(old);
  const api = await buildTestApp({ listen: true, env, tls: readTls(env) });
  const { port } = api.app.server.address() as AddressInfo;
  expect(api.url).toBe(`https://localhost:${port}`);
  const reply = await get(`${api.url}/v1/auth/me`, old.cert);
  expect(reply.statusCode).toBe(401);
  // It would lock the browser out of every other server at localhost.
  expect(reply.headers['strict-transport-security']).toBeUndefined();
  const discovery = await get(`${api.url}/oidc/.well-known/openid-configuration`, old.cert);
  expect(discovery.statusCode).toBe(200);
  expect((await fetch(`http://localhost:${port}/healthz`)).status).toBe(421);

  const { server } = api.app;
  if (!(server instanceof Server)) throw new Error('not a server with TLS');
  const log: string[] = [];
  const logger = { info: (text: string) => log.push(text), error: (_fields: object, text: string) => log.push(text) };
  writeFileSync(env.TLS_CERT, renewed.cert);
  reloadTls(server, env, logger as never);
  expect(log).toEqual(['the TLS certificate was not renewed']);
  expect((await get(`${api.url}/healthz`, old.cert)).statusCode).toBe(200);
  writeFileSync(env.TLS_KEY, renewed.key);
  reloadTls(server, env, logger as never);
  expect(log.slice(1)).toEqual(['the TLS certificate was read again']);
  expect((await get(`${api.url}/healthz`, renewed.cert)).statusCode).toBe(200);
  await expect(get(`${api.url}/healthz`, old.cert)).rejects.toThrow(/self-signed certificate|verify/);
  await api.close();
});

test('TLS 1.3 and 1.2 are spoken, by authenticated ciphers with forward secrecy, and nothing older is, also after a renewal', async () => {
  const pair = makeCertificate();
  const app = await createServer({ logger: false, trust_proxy: undefined, public_url: 'https://localhost', tls: pair });
  await app.listen({ port: 0, host: 'localhost' });
  const old_server = createTlsServer({ ...pair, minVersion: 'TLSv1', ciphers: OLD_CIPHERS }).listen(0, 'localhost');
  await once(old_server, 'listening');
  onTestFinished(async () => {
    old_server.close();
    await app.close();
  });
  expect(await handshake(app.server, { ca: pair.cert })).toMatchObject({ protocol: 'TLSv1.3' });
  expect(await handshake(app.server, { ca: pair.cert, maxVersion: 'TLSv1.2' })).toEqual({
    protocol: 'TLSv1.2',
    cipher: expect.stringMatching(/^ECDHE-.*(GCM|POLY1305)/),
  });
  const weak_client = { ca: pair.cert, maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES256-SHA' } as const;
  await expect(handshake(app.server, weak_client)).rejects.toThrow();
  const { server } = app;
  if (!(server instanceof Server)) throw new Error('not a server with TLS');
  reloadTls(server, writePair(pair), { info: () => {}, error: () => {} } as never);
  await expect(handshake(app.server, weak_client)).rejects.toThrow();
  const old_client = { ca: pair.cert, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: OLD_CIPHERS } as const;
  await expect(handshake(app.server, old_client)).rejects.toThrow();
  // A server that takes both shows that these clients speak them.
  expect(await handshake(old_server, old_client)).toMatchObject({ protocol: 'TLSv1.1' });
  expect(await handshake(old_server, weak_client)).toMatchObject({ protocol: 'TLSv1.2' });
});

async function handshake(server: { address(): unknown }, options: ConnectionOptions) {
  const { port } = server.address() as AddressInfo;
  const socket = connectTls({ port, host: 'localhost', ...options });
  await once(socket, 'secureConnect');
  const shaken = { protocol: socket.getProtocol(), cipher: socket.getCipher().name };
  socket.destroy();
  return shaken;
}
