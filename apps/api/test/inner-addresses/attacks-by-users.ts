import { randomUUID } from 'node:crypto';
import { checkClaimLine, createClaimLine } from '@sendlap/contract/center-management/claims.ts';
import { createPushSubscription } from '@sendlap/contract/push-subscriptions.ts';
import { exportJWK, generateKeyPair } from 'jose';
import { createPushAddresses } from '#api/modules/notifications/push-address.ts';
import { createPushClient, type Push } from '#api/modules/notifications/push-client.ts';
import { createVapid } from '#api/modules/notifications/vapid.ts';
import type { TestApp } from '../app/app.ts';
import { makeCenter } from '../factories.ts';
import { type PushBrowser, startPushEndpoint } from '../push-endpoint.ts';
import { type Attack, type Attacks, redirectTo } from './attack.ts';
import { type FakeInternet, OUTSIDE } from './fake-internet.ts';
import { DNS_ANSWERS, LOCAL_NAMES, PRIVATE_ADDRESSES, PRIVATE_HOSTS } from './private-addresses.ts';

const OTHER_FORMS = [
  ...['http://push.example.org/a', 'https://push.example.org:22/a', 'https://push.example.org:8443/a'],
  ...['https://user:word@push.example.org/a', 'https://user@push.example.org/a', 'ftp://push.example.org/a'],
  ...[
    'https://push.example.org@127.0.0.1/a',
    'https://127.0.0.1#@push.example.org/',
    'https://127.0.0.1\\@push.example.org/',
  ],
  ...[
    'file:///etc/passwd',
    'gopher://127.0.0.1:6379/_INFO',
    'data:text/plain,a',
    'unix:/var/run/docker.sock',
    '//127.0.0.1/',
  ],
  ...['https:127.0.0.1/a', 'https:///127.0.0.1/a', 'https://127.0.0.1%2f.example.org/a', 'https://[::1%25lo]/a'],
];

async function openClient(name_server: string) {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: 'push', alg: 'ES256' } as const;
  const vapid = await createVapid(key, 'mailto:a@b.example');
  const addresses = createPushAddresses({ allow_local: false, name_servers: [name_server] });
  return createPushClient(vapid, addresses, () => new Date());
}

function pushTo(endpoint: string, keys: PushBrowser['subscription']['keys']): Push {
  const user_id = randomUUID();
  const about = { other_id: null, message_id: null, request_id: null, activity: null };
  const content = { kind: 'friend_request', name: 'Ada', at: 0 } as const;
  return {
    subscription: { id: randomUUID(), user_id, endpoint, ...keys },
    news: { user_id, kind: 'friends', subject: 'a', content, ...about },
    ...{ payload: '{}', expires_at_ms: Date.now() + 60_000, urgency: 'normal', topic: 't' },
  };
}

/** The endpoint that a browser names: refused when it is stored, and checked again at each push. */
export async function attackPushes(api: TestApp, internet: FakeInternet): Promise<Attacks> {
  const service = await startPushEndpoint();
  const { keys } = service.openBrowser().subscription;
  await service.close();
  const client = await openClient(internet.name_server);

  /** Of a new user each time: calls are limited. */
  const subscribe = async (endpoint: string) => {
    const { headers } = await api.signIn('Mallory');
    const payload = { endpoint, keys, language: 'en' };
    const reply = await api.app.inject({ method: 'POST', url: createPushSubscription.path, headers, payload });
    return String(reply.json().code ?? reply.statusCode);
  };
  const push = async (endpoint: string) => {
    const sent = await client.send(pushTo(endpoint, keys), AbortSignal.timeout(10_000));
    return sent.outcome === 'refused' ? `refused ${sent.reason}` : sent.outcome;
  };
  const lead = (turns: string[][]) => {
    const host = `push-${randomUUID()}.example.org`;
    internet.names.set(host, turns);
    internet.answers.set(host, (_request, response) => void response.writeHead(201).end());
    return `https://${host}/a`;
  };

  const forms = [...[...PRIVATE_HOSTS, ...LOCAL_NAMES].map((host) => `https://${host}/a`), ...OTHER_FORMS];
  const attacks: Attack[] = [
    ...forms.flatMap((endpoint) => [
      { name: `endpoint ${endpoint}`, run: () => subscribe(endpoint), expected: /^push_endpoint_refused$/ },
      { name: `stored endpoint ${endpoint}`, run: () => push(endpoint), expected: /^refused address$/ },
    ]),
    ...PRIVATE_ADDRESSES.flatMap((inner) => [
      ...Object.entries(DNS_ANSWERS).flatMap(([kind, answersOf]) => [
        {
          name: `endpoint whose name leads ${kind}: ${inner}`,
          run: () => subscribe(lead(answersOf(inner, OUTSIDE))),
          expected: /^push_endpoint_refused$/,
        },
        {
          name: `push to a name ${kind}: ${inner}`,
          run: () => push(lead(answersOf(inner, OUTSIDE))),
          expected: /^later$/,
        },
      ]),
      {
        name: `push to a name that changes to ${inner}`,
        async run() {
          const endpoint = lead([[OUTSIDE], [inner]]);
          return `${await subscribe(endpoint)} ${await push(endpoint)}`;
        },
        expected: /^201 later$/,
      },
    ]),
    ...PRIVATE_HOSTS.flatMap((host) =>
      [301, 302, 303, 307, 308].map((status) => ({
        name: `push redirected (${status}) to ${host}`,
        run() {
          const endpoint = lead([[OUTSIDE]]);
          internet.answers.set(new URL(endpoint).host, redirectTo(status, `http://${host}/`));
          return push(endpoint);
        },
        expected: new RegExp(`^refused ${status}$`),
      })),
    ),
  ];
  const honest: Attack = {
    name: 'push to a push service',
    async run() {
      const endpoint = lead([[OUTSIDE]]);
      return `${await subscribe(endpoint)} ${await push(endpoint)}`;
    },
    expected: /^201 sent$/,
  };
  return { way: 'push', attacks, honest: [honest], close: () => client.close() };
}

/** The web site of a center, as an import or an edit stores it, which the server reads for a claim of the center. */
export async function attackClaims(api: TestApp, internet: FakeInternet): Promise<Attacks> {
  /** Claims the center by a line on its site. */
  const claim = async (url: string) => {
    const { headers } = await api.signIn('Mallory');
    const id = await makeCenter(api.database);
    await api.database.updateTable('sport_centers').set({ url }).where('id', '=', id).execute();
    await api.database.updateTable('sport_centers').set({ url_changed_at: null }).where('id', '=', id).execute();
    const call = async ({ method, path }: typeof createClaimLine | typeof checkClaimLine) => {
      const reply = await api.app.inject({ method, url: path.replace(':id', id), headers });
      return String(reply.json().code ?? reply.statusCode);
    };
    const begun = await call(createClaimLine);
    return begun === '201' ? call(checkClaimLine) : begun;
  };
  const lead = (turns: string[][]) => {
    const host = `club-${randomUUID()}.example.org`;
    internet.names.set(host, turns);
    internet.answers.set(host, (_request, response) => void response.end('no line'));
    return host;
  };
  const redirected = (status: number, locationOf: (host: string) => string) => {
    const host = lead([[OUTSIDE]]);
    internet.answers.set(host, redirectTo(status, locationOf(host)));
    return claim(`http://${host}/`);
  };

  const attacks: Attack[] = [
    ...[...PRIVATE_HOSTS, ...LOCAL_NAMES].flatMap((host) => [
      { name: `site https://${host}/`, run: () => claim(`https://${host}/`), expected: /^claim_way_unavailable$/ },
      {
        name: `site redirected to ${host}`,
        run: () => redirected(302, () => `http://${host}/`),
        expected: /^claim_site_unreadable$/,
      },
    ]),
    ...[
      'http://club.example.org:8080/',
      'http://user:word@club.example.org/',
      'ftp://club.example.org/',
      'file:///etc',
    ].map((url) => ({ name: `site ${url}`, run: () => claim(url), expected: /^claim_way_unavailable$/ })),
    ...PRIVATE_ADDRESSES.flatMap((inner) => [
      ...Object.entries(DNS_ANSWERS).map(([kind, answersOf]) => ({
        name: `site whose name leads ${kind}: ${inner}`,
        run: () => claim(`http://${lead(answersOf(inner, OUTSIDE))}/`),
        expected: /^claim_site_unreadable$/,
      })),
      {
        name: `site whose name changes to ${inner} before its redirect`,
        run() {
          const host = lead([[OUTSIDE], [inner]]);
          internet.answers.set(host, redirectTo(301, `http://${host}/again`));
          return claim(`http://${host}/`);
        },
        expected: /^claim_site_unreadable$/,
      },
      {
        name: `site redirected to its www. at ${inner}`,
        run: () =>
          redirected(301, (host) => {
            internet.names.set(`www.${host}`, [[inner]]);
            return `http://www.${host}/`;
          }),
        expected: /^claim_site_unreadable$/,
      },
    ]),
    ...[':22', ':6379'].map((port) => ({
      name: `site redirected to its port ${port}`,
      run: () => redirected(301, (host) => `http://${host}${port}/`),
      expected: /^claim_site_unreadable$/,
    })),
  ];
  const honest: Attack = {
    name: 'site outside, which is read',
    run: () => claim(`http://${lead([[OUTSIDE]])}/`),
    expected: /^claim_line_missing$/,
  };
  return { way: 'claim', attacks, honest: [honest], close: () => {} };
}
