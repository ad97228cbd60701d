import { lookup } from 'node:dns/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { type NameServer, startNameServer } from '#test/servers/name-server.ts';
import { createPushAddresses } from './push-address.ts';

const strict = createPushAddresses({ allow_local: false });
const local = createPushAddresses({ allow_local: true });

const opened: NameServer[] = [];
afterEach(() => {
  for (const server of opened.splice(0)) server.close();
});

/** undefined: the name server never answers. */
async function leadingTo(addresses: string[] | undefined, resolve_ms?: number) {
  const server = await startNameServer(addresses);
  opened.push(server);
  return createPushAddresses({
    allow_local: false,
    name_servers: [server.address],
    ...(resolve_ms === undefined ? {} : { resolve_ms }),
  });
}

describe('an endpoint is refused', () => {
  test.each([
    'not an address',
    '',
    'http://push.example.com/a',
    'ftp://push.example.com/a',
    'file:///etc/passwd',
    'https://push.example.com:8443/a',
    'https://push.example.com:80/a',
    'https://user:password@push.example.com/a',
    'https://user@push.example.com/a',
  ])('by its form: %s', (endpoint) => {
    expect(strict.parseEndpoint(endpoint)).toBeNull();
  });

  test.each([
    'https://127.0.0.1/a',
    'https://127.1/a',
    'https://2130706433/a',
    'https://0x7f.0.0.1/a',
    'https://0177.0.0.1/a',
    'https://0/a',
    'https://0.0.0.0/a',
    'https://10.1.2.3/a',
    'https://100.64.0.1/a',
    'https://169.254.169.254/latest/meta-data',
    'https://172.16.0.1/a',
    'https://172.31.255.255/a',
    'https://192.168.1.1/a',
    'https://198.18.0.1/a',
    'https://224.0.0.1/a',
    'https://255.255.255.255/a',
    'https://[::1]/a',
    'https://[::]/a',
    'https://[::ffff:127.0.0.1]/a',
    'https://[::ffff:8.8.8.8]/a',
    'https://[::127.0.0.1]/a',
    'https://[64:ff9b::7f00:1]/a',
    'https://[2002:7f00:1::]/a',
    'https://[2001::1]/a',
    'https://[2001:db8::1]/a',
    'https://[fe80::1]/a',
    'https://[fc00::1]/a',
    'https://[fd12:3456::1]/a',
    'https://[ff02::1]/a',
    'https://１２７.0.0.1/a',
  ])('for its address: %s', (endpoint) => {
    expect(strict.parseEndpoint(endpoint)).toBeNull();
  });

  test.each([
    'https://localhost/a',
    'https://LOCALHOST./a',
    'https://push.localhost/a',
    'https://intranet/a',
    'https://printer.local/a',
    'https://metadata.google.internal/a',
    'https://router.home.arpa/a',
  ])('for its name: %s', (endpoint) => {
    expect(strict.parseEndpoint(endpoint)).toBeNull();
  });

  test('loopback is open to tests alone, and nothing else with it', () => {
    expect(local.parseEndpoint('http://127.0.0.1:9000/a')?.port).toBe('9000');
    expect(local.parseEndpoint('http://localhost:9000/a')?.port).toBe('9000');
    for (const endpoint of ['http://10.0.0.1/a', 'https://169.254.169.254/a', 'ftp://127.0.0.1/a']) {
      expect(local.parseEndpoint(endpoint)).toBeNull();
    }
  });
});

test.each([
  'https://fcm.googleapis.com/fcm/send/abc',
  'https://updates.push.services.mozilla.com:443/wpush/v2/abc',
  'https://web.push.apple.com/abc',
  'https://8.8.8.8/a',
  'https://[2606:4700::1111]/a',
])('the endpoint of a push service is taken: %s', (endpoint) => {
  expect(strict.parseEndpoint(endpoint)).not.toBeNull();
});

describe('a name', () => {
  const endpoint = new URL('https://push.example.com/a');
  const connect = (addresses: ReturnType<typeof createPushAddresses>, all: boolean) =>
    new Promise((resolve) => {
      addresses.lookup('push.example.com', { all }, (error, found) => resolve(error ? error.message : found));
    });

  test.each([
    ['127.0.0.1'],
    ['10.0.0.1', '8.8.8.8'],
    ['8.8.8.8', '169.254.169.254'],
    ['::1'],
    ['::ffff:10.0.0.1'],
    ['fd00::1', '2606:4700::1111'],
  ])('that leads inside is not connected to, whatever else it leads to: %s %s', async (...given) => {
    const addresses = await leadingTo(given);
    expect(await addresses.resolvesToPublic(endpoint)).toBe(false);
    for (const all of [true, false]) expect(await connect(addresses, all)).toMatch(/not public/);
  });

  test('that leads out is connected to at the address that was looked at', async () => {
    const addresses = await leadingTo(['8.8.8.8', '2606:4700::1111']);
    expect(await addresses.resolvesToPublic(endpoint)).toBe(true);
    expect(await connect(addresses, false)).toBe('8.8.8.8');
    expect(await connect(addresses, true)).toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ]);
  });

  test('that does not resolve at the moment may be saved, and is not connected to', async () => {
    const addresses = await leadingTo([]);
    expect(await addresses.resolvesToPublic(endpoint)).toBe(true);
    expect(await connect(addresses, true)).toMatch(/nowhere/);
  });

  test('with a lookup that hangs delays no connection and no other lookup', async () => {
    const patient = await leadingTo(undefined);
    let given_up = 0;
    for (let count = 0; count < 16; count += 1) void patient.resolvesToPublic(endpoint).finally(() => (given_up += 1));
    expect((await lookup('localhost')).address).toMatch(/^(127\.|::1)/);
    expect(given_up).toBe(0);
    const addresses = await leadingTo(undefined, 100);
    const many = Array.from({ length: 16 }, () => addresses.resolvesToPublic(endpoint));
    expect(new Set(await Promise.all(many))).toEqual(new Set([true]));
    expect(await connect(addresses, true)).toMatch(/nowhere/);
  });
});
