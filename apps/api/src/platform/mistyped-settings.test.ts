import { expect, test } from 'vitest';
import { readEnv, warnOfMistypedSettings } from './env.ts';

function tell(...names: string[]): string {
  let told = '';
  const write = (text: string) => {
    told += text;
  };
  warnOfMistypedSettings(Object.fromEntries(names.map((name) => [name, 'x'])), { write });
  return told;
}

test.each([
  ['PROT', 'PORT'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['database_url', 'DATABASE_URL'],
  ['TRUSTED_PROXY', 'TRUST_PROXY'],
  ['SECRETS', 'SECRET'],
  ['OIDC_CLIENTID', 'OIDC_CLIENT_ID'],
  ['LOGLEVEL', 'LOG_LEVEL'],
])('for %s the server suggests %s', (name, meant) => {
  expect(tell(name)).toBe(`${name} is not a setting of Sendlap: did you mean ${meant}?\n`);
});

test('the server suggests nothing for settings and the names of other programs', () => {
  expect(tell('PORT', 'SECRET', 'OIDC_CLIENT_SECRET', 'DATA_DIR')).toBe('');
  const foreign = 'PATH HOME MAIL LOGNAME HOSTNAME SHELL PWD OLDPWD LANG TERM USER NODE_ENV PGHOST PGPORT PGDATABASE';
  const more = 'SSL_CERT_FILE SSH_AUTH_SOCK http_proxy NO_PROXY INIT_CWD npm_config_port VITE_DEMO_USER CHROMIUM_PATH';
  expect(tell(...foreign.split(' '), ...more.split(' '), 'TMPDIR', 'EDITOR', 'SHLVL', '_')).toBe('');
});

test('a suggested setting changes nothing', () => {
  expect(readEnv({ PROT: '9000' }).PORT).toBe(8000);
});
