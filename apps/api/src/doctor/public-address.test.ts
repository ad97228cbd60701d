import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { makeCertificate } from '#test/certificate.ts';
import { findFreePort } from '#test/free-port.ts';
import { type Forwarding, listen, openServer, SECRETS } from '#test/servers/proxied-server.ts';
import { createSecrets } from '../database/secrets.ts';
import { CALLER_REPORT_PATH, createReportToken } from '../http/caller-report.ts';
import { VERSION } from '../platform/version.ts';
import { createProxyCheck } from './proxy-check.ts';
import { checkPublicAddress, describeCaller } from './public-address.ts';

const OTHER_SECRETS = createSecrets('the secret of another server, long enough');

/** Returns the findings about proxies, as 'verdict: text'. */
async function findProxies(trust_proxy: string | undefined, ...chain: Forwarding[]) {
  const { env, warnings } = await openServer(trust_proxy, chain);
  const findings = await checkPublicAddress(env, SECRETS);
  expect(findings[0]).toMatchObject({ check: 'address', verdict: 'good' });
  // The doctor's own claim is no proxy's header.
  expect(warnings).toEqual([]);
  return findings.slice(1).map(({ verdict, detail }) => `${verdict}: ${detail}`);
}

// The innermost proxy is the first of a chain: '10.9.9.1' is the address that it reports.
test.each<[string, string | undefined, Forwarding[], RegExp]>([
  [
    'a proxy without the setting',
    undefined,
    ['append'],
    /^TRUST_PROXY: limits count all clients of a proxy as one.*not set.*1 proxy.*set it to 1$/,
  ],
  [
    'two without the setting',
    undefined,
    ['append', 'append'],
    /not set, and 2 proxies reported an address: set it to 2$/,
  ],
  ['one that replaces the header and is not set', undefined, ['replace'], /not set, and 1 proxy.*set it to 1$/],
  ['one that removes the header', undefined, ['strip'], /^TRUST_PROXY: a proxy in front removes X-Forwarded-For/],
  ['one that removes the header and is set', '1', ['strip'], /removes X-Forwarded-For/],
  ['one that removes the header and is trusted by its address', 'loopback', ['strip'], /removes X-Forwarded-For/],
  [
    'none, and one is set',
    '1',
    [],
    /^TRUST_PROXY: clients can claim any address.*TRUST_PROXY is 1.*no proxy.*unset it$/,
  ],
  [
    'one in TCP mode, and one is set',
    '1',
    ['pass'],
    /clients can claim any address.*let the proxy send X-Forwarded-For, or unset it$/,
  ],
  ['one, and two are set', '2', ['append'], /clients can claim any address.*TRUST_PROXY is 2.*1 proxy.*set it to 1$/],
  [
    'two, and one is set',
    '1',
    ['append', 'append'],
    /limits count all clients of a proxy as one, 10\.9\.9\.1.*set it to 2$/,
  ],
  [
    'one, and another address is set',
    '10.0.0.1',
    ['append'],
    /limits count all clients of a proxy as one, 127\.0\.0\.1/,
  ],
  ['none, and every neighbour is believed', 'loopback', [], /clients can claim any address/],
])('doctor names the mistake of %s', async (_name, trust_proxy, chain, words) => {
  const [finding, ...more] = await findProxies(trust_proxy, ...chain);
  expect([finding?.split(': ')[0], more]).toEqual(['broken', []]);
  expect(finding?.replace('broken: ', '')).toMatch(words);
});

test.each<[string, string | undefined, Forwarding[], string]>([
  ['no proxy', undefined, [], '127.0.0.1'],
  ['one that is counted', '1', ['append'], '10.9.9.1'],
  ['one that is named', 'loopback', ['append'], '10.9.9.1'],
  ['one that replaces the header', '1', ['replace'], '10.9.9.1'],
  ['two that are counted', '2', ['append', 'append'], '10.9.9.2'],
])('%s is fine, and doctor names the address that the server counts', async (_name, trust_proxy, chain, address) => {
  const findings = await findProxies(trust_proxy, ...chain);
  expect(findings).toEqual([expect.stringContaining(`good: this caller has the address ${address}: `)]);
});

test.each<[string, string | undefined, Forwarding[], RegExp]>([
  ['no number is found', undefined, ['append'], /^broken: TRUST_PROXY: limits count all.*set it to 1$/],
  ['too small a number is found', '1', ['append', 'append'], /^broken: TRUST_PROXY: limits count all.*set it to 2$/],
  ['the right number is fine', '2', ['append', 'append'], /^good: this caller has the address 127\.0\.0\.1/],
  ['a named proxy is fine', 'loopback', ['append'], /^good: this machine's own calls may claim/],
  ['a named proxy that reports no one is found', 'loopback', ['pass'], /^broken: TRUST_PROXY: clients can claim/],
])('where caller and proxies are on one machine, %s', async (_name, trust_proxy, chain, words) => {
  const { env } = await openServer(trust_proxy, chain, { addressOf: () => '127.0.0.1' });
  const findings = (await checkPublicAddress(env, SECRETS)).filter(({ check }) => check === 'proxy');
  expect(findings.map(({ verdict, detail }) => `${verdict}: ${detail}`)).toEqual([expect.stringMatching(words)]);
});

test('doctor reports a proxy that hides its callers silently', async () => {
  const [finding, ...more] = await findProxies(undefined, 'pass');
  expect([finding, more]).toEqual([
    expect.stringMatching(/^lacking: TRUST_PROXY: a proxy, a router or .* as 127\.0\.0\.1: .* set TRUST_PROXY to 1$/),
    [],
  ]);
});

test('a proxy on this machine that hides the visitors of a public address is broken', () => {
  const report = { ...{ version: VERSION, node: 'here:8000', now_ms: 0, address: '127.0.0.1' }, host: 'club.example' };
  const seen = {
    peer: '127.0.0.1',
    peer_port: 1,
    forwarded_for: ['192.0.2.77'],
    believed: 0,
    trust_proxy: null,
    misfits: [],
  };
  const env = { PUBLIC_URL: 'https://club.example', TRUST_PROXY: undefined, PORT: 8000, HOST: 'localhost' };
  expect(describeCaller(env, { ...report, ...seen }, { address: '10.0.0.5', port: 1 })).toEqual([
    {
      ...{ check: 'proxy', verdict: 'broken' },
      detail: expect.stringMatching(/^TRUST_PROXY: a proxy on this machine hides its callers.*X-Forwarded-For/),
    },
  ]);
});

test('a request that did not fit the setting is shown until the restart, by whom and when', async () => {
  const { app, env } = await openServer(undefined, []);
  await app.inject({
    url: '/v1/openapi.json',
    headers: { 'x-forwarded-for': '198.51.100.7' },
    remoteAddress: '10.1.1.1',
  });
  const findings = await checkPublicAddress(env, SECRETS);
  expect(findings.at(-1)).toMatchObject({
    verdict: 'lacking',
    detail: expect.stringMatching(/^TRUST_PROXY: a request came through a proxy.*\(from 10\.1\.1\.1 at \d{4}-/),
  });
});

test('each kind of misfit is shown', async () => {
  const { app, env } = await openServer('2', []);
  const headers = { 'x-forwarded-for': '198.51.100.7' };
  for (const request of [{}, { headers }, {}]) await app.inject({ url: '/v1/openapi.json', ...request });
  expect((await checkPublicAddress(env, SECRETS)).slice(2).map(({ detail }) => detail)).toEqual([
    expect.stringMatching(/^TRUST_PROXY: a request came without X-Forwarded-For/),
    expect.stringMatching(/^TRUST_PROXY: it counts more proxies than/),
  ]);
});

test.each<[string, string | undefined, Forwarding[], RegExp[]]>([
  ['more proxies than there are', '2', ['append'], [/^TRUST_PROXY: clients can claim any address.*set it to 1$/]],
  ['fewer proxies than there are', '1', ['append', 'append'], [/^TRUST_PROXY: limits count all clients.*set it to 2$/]],
  ['a proxy in TCP mode', 'loopback', ['pass'], [/^TRUST_PROXY: clients can claim any address/]],
  ['a proxy in TCP mode as none', undefined, ['pass'], [/^TRUST_PROXY: a proxy, a router .* passes this caller on as/]],
  ['the right number of proxies', '1', ['append'], []],
])('the server itself finds that TRUST_PROXY counts %s, and logs it once', async (_name, trust_proxy, chain, words) => {
  const { env } = await openServer(trust_proxy, chain);
  const logged: string[] = [];
  const log = { warn: (_fields: object, text: string) => void logged.push(text) };
  const check = createProxyCheck({ env, secrets: SECRETS, log });
  expect([await check?.run(), await check?.run()]).toEqual([1, 0]);
  expect(logged).toEqual(words.map((word) => expect.stringMatching(word)));
});

test('the server calls its public address until it answers, and not at all on this machine without a proxy', async () => {
  const { env } = await openServer('1', []);
  const log = { warn: (_fields: object, text: string) => expect.unreachable(text) };
  const closed = { ...env, PUBLIC_URL: `http://127.0.0.1:${await findFreePort()}` };
  const check = createProxyCheck({ env: closed, secrets: SECRETS, log });
  expect([await check?.run(), await check?.run()]).toEqual([0, 0]);
  const direct = { ...env, TRUST_PROXY: undefined, PUBLIC_URL: `http://localhost:${env.PORT}` };
  expect(createProxyCheck({ env: direct, secrets: SECRETS, log })).toBe(undefined);
});

test('the server logs once that a proxy changes the host, or leads to another path or program', async () => {
  const logged: string[] = [];
  const log = { warn: (_fields: object, text: string) => void logged.push(text) };
  const { env } = await openServer('1', ['append'], { host: 'backend:8000' });
  const check = createProxyCheck({ env, secrets: SECRETS, log });
  expect([await check?.run(), await check?.run()]).toEqual([1, 0]);
  const elsewhere = await listen((_request, reply) => void reply.writeHead(404).end());
  const path = createProxyCheck({
    env: { ...env, PUBLIC_URL: `http://127.0.0.1:${elsewhere}` },
    ...{ secrets: SECRETS, log },
  });
  // It goes on asking: a proxy may start after the server.
  expect([await path?.run(), await path?.run()]).toEqual([0, 0]);
  expect(logged).toEqual([
    expect.stringMatching(/^PUBLIC_URL: .* arrives as the host backend:8000/),
    expect.stringMatching(/^PUBLIC_URL: .* answered 404/),
  ]);
});

test.each([502, 503, 504])(
  'a proxy that answers %i is logged as no other program: its server may start later',
  async (status) => {
    const { env } = await openServer('1', []);
    const port = await listen((_request, reply) => void reply.writeHead(status).end());
    const waiting = { ...env, PUBLIC_URL: `http://127.0.0.1:${port}` };
    const log = { warn: (_fields: object, text: string) => expect.unreachable(text) };
    expect(await createProxyCheck({ env: waiting, secrets: SECRETS, log })?.run()).toBe(0);
    const [finding] = await checkPublicAddress(waiting, SECRETS);
    expect(finding?.detail).toMatch(
      new RegExp(
        `^PUBLIC_URL: .* cannot be reached from here \\(it answered ${status}\\), though port \\d+ \\(PORT\\) is open`,
      ),
    );
  },
);

test.each([
  [
    'of another host',
    'https://login.club.example',
    /redirects to https:\/\/login\.club\.example: if that is Sendlap's address, set PUBLIC_URL/,
  ],
  ['of the same host', '', /redirects to another path of itself: let the proxy pass \/healthz\/caller on/],
])('a sign-in page %s in front of the server is logged once, without its state', async (_name, origin, words) => {
  let count = 0;
  const port = await listen((_request, reply) => {
    count += 1;
    reply.writeHead(302, { location: `${origin}/login/state-${count}?state=state-${count}` }).end();
  });
  const { env } = await openServer('1', []);
  const logged: string[] = [];
  const log = { warn: (_fields: object, text: string) => void logged.push(text) };
  const check = createProxyCheck({ env: { ...env, PUBLIC_URL: `http://127.0.0.1:${port}` }, secrets: SECRETS, log });
  for (let run = 0; run < 3; run += 1) expect(await check?.run()).toBe(0);
  expect([logged, count]).toEqual([[expect.stringMatching(words)], 3]);
  expect(logged[0]).not.toContain('state-');
});

test.each([
  ['with another secret', () => createReportToken(OTHER_SECRETS)],
  ['an hour old', () => createReportToken(SECRETS, Date.now() - 3_600_000)],
  ['of another shape', () => 'Bearer 1.x'],
  ['that is missing', () => ''],
])('the report does not exist for a proof %s', async (_name, createHeader) => {
  const { app } = await openServer(undefined, []);
  const reply = await app.inject({ url: CALLER_REPORT_PATH, headers: { authorization: createHeader() } });
  expect([reply.statusCode, reply.json().code]).toEqual([404, 'not_found']);
});

test('an address that leads nowhere, elsewhere or to a foreign program names PUBLIC_URL', async () => {
  const { env } = await openServer(undefined, []);
  const check = async (changes: Partial<typeof env>, secrets = SECRETS) => {
    const [{ verdict, detail } = { verdict: '', detail: '' }, ...more] = await checkPublicAddress(
      { ...env, ...changes },
      secrets,
    );
    expect([verdict, more]).toEqual(['broken', []]);
    return detail;
  };
  const closed = await findFreePort();
  const nowhere = `http://127.0.0.1:${closed}`;
  expect(await check({ PUBLIC_URL: nowhere })).toMatch(/^PUBLIC_URL: .*ECONNREFUSED.*port \d+ \(PORT\) is open/);
  expect(await check({ PUBLIC_URL: nowhere, PORT: closed })).toMatch(
    /^PORT: no server listens on port.*start the server$/,
  );
  const [elsewhere_running] = await checkPublicAddress({ ...env, PUBLIC_URL: nowhere, PORT: closed }, SECRETS, [
    'club:8001',
  ]);
  expect(elsewhere_running?.detail).toMatch(/start the server, or give doctor the settings of .*\(club:8001\)$/);
  expect(await check({ PUBLIC_URL: 'http://nowhere.invalid' })).toMatch(/^PUBLIC_URL: /);
  const elsewhere = await listen(
    (_request, reply) => void reply.writeHead(301, { location: 'https://club.example/' }).end(),
  );
  expect(await check({ PUBLIC_URL: `http://127.0.0.1:${elsewhere}` })).toMatch(
    /redirects to https:\/\/club\.example: if that is Sendlap's address, set PUBLIC_URL/,
  );
  const foreign = await listen((_request, reply) => void reply.end('<h1>It works!</h1>'));
  expect(await check({ PUBLIC_URL: `http://127.0.0.1:${foreign}` })).toMatch(
    /^PUBLIC_URL: .* answered 200: another program/,
  );
  expect(await check({}, OTHER_SECRETS)).toMatch(/answered 404: .*another SECRET/);
});

test('doctor names the setting that trusts a certificate of a private CA', async () => {
  const server = createHttpsServer(makeCertificate());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { env } = await openServer(undefined, []);
  const { port } = server.address() as AddressInfo;
  const [finding] = await checkPublicAddress({ ...env, PUBLIC_URL: `https://localhost:${port}` }, SECRETS);
  expect(finding).toMatchObject({
    verdict: 'broken',
    detail: expect.stringMatching(/is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\): .*NODE_EXTRA_CA_CERTS/),
  });
});

test('doctor reports a proxy that changes the host, and says to forward the header', async () => {
  const { env } = await openServer('1', ['append'], { host: 'backend:8000' });
  const [finding] = await checkPublicAddress(env, SECRETS);
  expect(finding).toMatchObject({
    verdict: 'broken',
    detail: expect.stringMatching(/arrives as the host backend:8000: let the proxy forward the header Host/),
  });
});
