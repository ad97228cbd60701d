import { expect, test } from 'vitest';
import { SETTING_NAMES } from '../platform/env.ts';
import { describeSettings } from './settings.ts';

const describe = (variables: Record<string, string>) =>
  describeSettings({ variables, env: undefined, data_dir: '/data', has_secret_file: true });

test.each([
  ['SECRET', 'x'.repeat(40), '40 characters'],
  ['OIDC_CLIENT_SECRET', 'hush', '4 characters'],
  ['DATABASE_URL', 'postgres://ada:p@ss@db:5432/x?sslmode=require', 'postgres://ada:***@db:5432/x?sslmode=require'],
  ['DATABASE_URL', 'postgres://ada:pa/ss@db/x', 'postgres://ada:***@db/x'],
  ['DATABASE_URL', 'postgres://ada:pa#ss?x@y@db/x', 'postgres://ada:***@db/x'],
  [
    'DATABASE_URL',
    'postgres://ada:a/b:c@d/e@db:5432/x?sslmode=require',
    'postgres://ada:***@db:5432/x?sslmode=require',
  ],
  ['DATABASE_URL', 'postgres://:pass@db/x', 'postgres://:***@db/x'],
  ['DATABASE_URL', 'postgres://db/x?user=ada&password=hush', 'postgres://db/x?user=ada&password=***'],
  ['DATABASE_URL', 'postgres://ada:pa/ss@[db/x', '***'],
  ['DATABASE_URL', 'ada:hush@db/x', '***'],
  ['SMTP_URL', 'smtp://club:pa/ss@mail.example:25', 'smtp://club:***@mail.example:25'],
  ['SMTP_URL', 'club:hush@mail.example', '***'],
  ['DATABASE_URL', 'postgres://ada:hush', '***'],
  ['PUBLIC_URL', 'club.example', 'club.example'],
  ['MAP_STREETS_SOURCE', 'https://ada:pa#s@t.example/{date}.pmtiles', 'https://ada:***@t.example/{date}.pmtiles'],
  ['OIDC_ISSUER', 'https://id.example/a@b', 'https://id.example/a@b'],
  ['SMTP_URL', 'smtps://club%40x:hush@mail.example', 'smtps://club%40x:***@mail.example'],
  [
    'MAP_STREETS',
    'https://t.example/{z}/{x}/{y}.pbf?v=2&api_key=hush',
    'https://t.example/{z}/{x}/{y}.pbf?v=2&api_key=***',
  ],
  ['MAP_STREETS', '/maps/key=open.pmtiles', '/maps/key=open.pmtiles'],
])('%s is printed without its secrets', (name, value, printed) => {
  const found = describe({ [name]: value }).find((setting) => setting.name === name);
  expect(found).toEqual({ name, value: printed, source: 'environment' });
});

test('every setting is listed, with where its value comes from', () => {
  const settings = describe({ PORT: '9000', HOST: '' });
  expect(settings.map(({ name }) => name)).toEqual(SETTING_NAMES);
  expect(Object.fromEntries(settings.map(({ name, source }) => [name, source]))).toMatchObject({
    ...{ PORT: 'environment', HOST: 'unset', SECRET: 'DATA_DIR', DATA_DIR: 'default', SMTP_URL: 'unset' },
  });
});
