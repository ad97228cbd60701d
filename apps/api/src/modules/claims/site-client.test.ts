import { afterEach, expect, test } from 'vitest';
import { type MadeCertificate, makeCertificate } from '#test/certificate.ts';
import { startNameServer } from '#test/servers/name-server.ts';
import { startWebSites, type WebSites } from '#test/servers/web-sites.ts';
import { parseSite } from './site.ts';
import { createSiteClient } from './site-client.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function open(certificate?: MadeCertificate): Promise<WebSites> {
  const sites = await startWebSites(certificate);
  closing.push(() => sites.close());
  return sites;
}

/** Reads the file of a site on record. Returns its text or the code of the refusal. */
async function read(url: string, client: ReturnType<typeof createSiteClient>): Promise<string> {
  const site = parseSite(url, { allow_local: true });
  if (!site) throw new Error(`${url} is no site`);
  return client.readFile(site).catch(({ code }) => code);
}

test('a file over https is read only with a valid certificate of that very host', async () => {
  const certificate = makeCertificate();
  const sites = await open(certificate);
  const name_server = await startNameServer(['127.0.0.1']);
  closing.push(name_server.close);
  for (const host of ['localhost', 'club.example']) sites.set(host, 'the line');
  const options = { allow_local: true, name_servers: [name_server.address] };
  const trusting = createSiteClient({ ...options, ca: certificate.cert });
  expect(await read(`https://localhost:${sites.port}/`, trusting)).toBe('the line');
  expect(await read(`https://club.example:${sites.port}/`, trusting)).toBe('claim_site_unreadable');
  expect(await read(`https://localhost:${sites.port}/`, createSiteClient(options))).toBe('claim_site_unreadable');
});

test('a redirect from https to http is not followed', async () => {
  const certificate = makeCertificate();
  const [secure, plain] = [await open(certificate), await open()];
  plain.set('localhost', 'the line');
  const location = `http://localhost:${plain.port}/.well-known/sendlap.txt`;
  secure.set('localhost', (_request, response) => void response.writeHead(302, { location }).end());
  const client = createSiteClient({ allow_local: true, ca: certificate.cert });
  expect(await read(`https://localhost:${secure.port}/`, client)).toBe('claim_site_unreadable');
  expect(plain.requested).toEqual([]);
});

test.each([
  ['never answers', () => {}],
  ['never ends', (_: unknown, response: { write(text: string): unknown }) => void response.write('the line\n')],
])('a site that %s is given up', async (_name, answer) => {
  const sites = await open();
  sites.set('localhost', answer);
  const client = createSiteClient({ allow_local: true, timeout_ms: 200 });
  expect(await read(`http://localhost:${sites.port}/`, client)).toBe('claim_site_unreadable');
});

test.each([['127.0.0.1'], ['::1'], ['::ffff:127.0.0.1'], ['169.254.169.254']])(
  'without the setting of tests no connection is made to %s',
  async (address) => {
    const sites = await open();
    const name_server = await startNameServer([address]);
    closing.push(name_server.close);
    sites.set('club.example', 'the line');
    const client = createSiteClient({ allow_local: false, name_servers: [name_server.address] });
    expect(await read(`http://club.example:${sites.port}/`, client)).toBe('claim_site_unreadable');
    expect(sites.requested).toEqual([]);
  },
);

test('hosts of a local network and other ports are no sites on record', () => {
  for (const url of ['http://localhost/', 'https://club.local/', 'https://club/', 'https://club.example.org:8443/'])
    expect(parseSite(url, { allow_local: false })).toBeNull();
  expect(parseSite('https://www.club.example.org/es/', { allow_local: false })).toMatchObject({
    host: 'www.club.example.org',
    mail_domain: 'club.example.org',
    file_url: new URL('https://www.club.example.org/.well-known/sendlap.txt'),
  });
});
