import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openPhoneMode, readPhoneEnv } from './phone-mode.ts';

describe('--phone does not start, and names the setting,', () => {
  test.each([
    ['with a certificate of its own', { TLS_CERT: 'a', TLS_KEY: 'b' }, /^TLS_CERT: /],
    ['behind a proxy', { TRUST_PROXY: '1' }, /^TRUST_PROXY: /],
    ['at a public name', { PUBLIC_URL: 'https://club.example' }, /^PUBLIC_URL: .+club\.example/],
    ['without https', { PUBLIC_URL: 'http://localhost:8000' }, /^PUBLIC_URL: must be https/],
    ['at a public address', { HOST: '203.0.113.9' }, /^HOST: /],
    ['at an IPv6 address', { HOST: '::1' }, /^HOST: /],
    ['at an invalid host', { HOST: 'foo bar' }, /^HOST: /],
    ['with half a certificate', { TLS_CERT: 'a' }, /^TLS_CERT: remove it/],
    [
      'with another port than its public one',
      { PUBLIC_URL: 'https://nas.lan' },
      /^PORT: set it to 443, .+ or set PUBLIC_URL to https:\/\/nas\.lan:8000$/,
    ],
    ['with an invalid port', { PORT: 'eighty' }, /^PORT: /],
  ])('%s', async (_name, variables, words) => {
    const refused = readPhoneEnv({ HOST: '127.0.0.1', ...variables });
    await expect(refused).rejects.toMatchObject({ name: 'StartError', message: expect.stringMatching(words) });
  });
});

test.each([
  [{ HOST: '192.168.1.20' }, '192.168.1.20', 'https://192.168.1.20:8000'],
  [{ HOST: '10.0.0.2', PORT: '443' }, '10.0.0.2', 'https://10.0.0.2'],
  [{ PUBLIC_URL: 'https://laptop.local:8443', PORT: '8443' }, '0.0.0.0', 'https://laptop.local:8443'],
  [{ PUBLIC_URL: 'https://nas.lan', HOST: '10.0.0.2', PORT: '443' }, '10.0.0.2', 'https://nas.lan'],
])('%j listens on %s and is reached at %s', async (variables, HOST, PUBLIC_URL) => {
  expect(await readPhoneEnv(variables)).toMatchObject({ HOST, PUBLIC_URL });
});

test.each([
  ['8000', 'http://10.0.0.2:8000'],
  ['443', 'http://10.0.0.2:443'],
  ['80', 'http://10.0.0.2'],
])('at port %s the terminal leads to the guide at %s', async (PORT, guide_url) => {
  const folder = await mkdtemp(join(tmpdir(), 'sendlap-phone-'));
  const { instructions } = await openPhoneMode(await readPhoneEnv({ HOST: '10.0.0.2', PORT }), folder);
  expect(instructions).toContain(`open ${guide_url}\n`);
  await rm(folder, { recursive: true });
});
