import { describe, expect, test } from 'vitest';
import { readEnv } from './env.ts';
import { StartError } from './start-error.ts';

describe('a bad setting ends the start with one line that names it:', () => {
  test.each([
    ['PORT', { PORT: 'abc' }],
    ['PORT', { PORT: '70000' }],
    ['PORT', { PORT: '-1' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'sendlap.example' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'http://sendlap.example' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://sendlap.example/app' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'ftp://localhost' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://localhost/x' }],
    ['POSTGRES_BIN', { POSTGRES_BIN: '/usr/bin', DATABASE_URL: 'postgres://localhost/x' }],
    ['SECRET', { SECRET: 'too short' }],
    ['OIDC_ISSUER', { OIDC_ISSUER: 'not an address' }],
    ['OIDC_CLIENT_ID', { OIDC_ISSUER: 'https://issuer.example' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
    ['TRUST_PROXY', { TRUST_PROXY: 'foo' }],
    ['TRUST_PROXY', { TRUST_PROXY: ' ' }],
    ['TRUST_PROXY', { TRUST_PROXY: '1.2.3.4/99' }],
    ['TLS_KEY', { TLS_CERT: 'cert.pem' }],
    ['TLS_CERT', { TLS_KEY: 'key.pem' }],
    ['PUBLIC_URL', { TLS_CERT: 'cert.pem', TLS_KEY: 'key.pem', PUBLIC_URL: 'http://localhost:8000' }],
    ['ACME_EMAIL', { ACME_EMAIL: 'owner', PUBLIC_URL: 'https://club.example' }],
    ['ACME_EMAIL', { ACME_EMAIL: 'a@b.example', TLS_CERT: 'a', TLS_KEY: 'b', PUBLIC_URL: 'https://club.example' }],
    ['ACME_DIRECTORY', { ACME_DIRECTORY: 'here' }],
    ['HTTP_PORT', { HTTP_PORT: '70000' }],
    ['HTTP_PORT', { ACME_EMAIL: 'a@b.example', PUBLIC_URL: 'https://club.example', PORT: '80' }],
    ['PUBLIC_URL', { ACME_EMAIL: 'a@b.example' }],
    ['PUBLIC_URL', { ACME_EMAIL: 'a@b.example', PUBLIC_URL: 'https://203.0.113.9' }],
    ['PUBLIC_URL', { ACME_EMAIL: 'a@b.example', PUBLIC_URL: 'https://[2001:db8::1]' }],
    ['PUBLIC_URL', { ACME_EMAIL: 'a@b.example', PUBLIC_URL: 'https://club' }],
    ['PUBLIC_URL', { ACME_EMAIL: 'a@b.example', PUBLIC_URL: 'https://club.local' }],
    ['MAP_STREETS', { MAP_STREETS: 'https://tiles.example/{z}/{x}.pbf' }],
    ['MAP_STREETS', { MAP_STREETS: 'https://{s}.tiles.example/{z}/{x}/{y}.pbf' }],
    ['MAP_STREETS', { MAP_STREETS: 'https://tiles.example/{z}/{x}/{x}/{y}.pbf' }],
    ['MAP_STREETS', { MAP_STREETS: 'tiles/{z}/{x}/{y}.pbf' }],
    ['MAP_STREETS', { MAP_STREETS: 'https://' }],
    ['MAP_STREETS_SOURCE', { MAP_STREETS_SOURCE: '/maps/planet.pmtiles' }],
    ['MAP_STREETS_SOURCE', { MAP_STREETS_SOURCE: 'https://maps.example/{day}.pmtiles' }],
    ['DRAIN_S', { DRAIN_S: '-1' }],
    ['DRAIN_S', { DRAIN_S: '1.5' }],
    ['DRAIN_S', { DRAIN_S: '301' }],
    ['SMTP_URL', { SMTP_URL: 'https://mail.example', MAIL_FROM: 'a@example.org' }],
    ['SMTP_URL', { SMTP_URL: 'smtp://', MAIL_FROM: 'a@example.org' }],
    ['SMTP_URL', { SMTP_URL: 'smtp://club:hu/sh@mail.example', MAIL_FROM: 'a@example.org' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://ada:hu/sh@db/x' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://ada:1/hush@db/x' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://ada:1?hush@db/x' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://ada:x@y?hush@db/x' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://ada:hu#sh@db/x' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://ada:x@hush/y@db/x' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://ada:hush@[db/x' }],
    ['BACKUP_VERIFY', { BACKUP_VERIFY: 'no' }],
    ['MAIL_FROM', { SMTP_URL: 'smtp://mail.example' }],
    ['METRICS_PORT', { METRICS_PORT: 'yes' }],
    ['METRICS_PORT', { METRICS_PORT: '70000' }],
    ['METRICS_PORT', { METRICS_PORT: '8000' }],
    ['METRICS_PORT', { METRICS_PORT: '80', ACME_EMAIL: 'a@b.example', PUBLIC_URL: 'https://club.example' }],
    ['METRICS_PORT', { METRICS_HOST: '0.0.0.0' }],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' }],
    ['OTEL_TRACES_SAMPLER_ARG', { OTEL_TRACES_SAMPLER_ARG: '1.5' }],
    ['OTEL_TRACES_SAMPLER_ARG', { OTEL_TRACES_SAMPLER_ARG: 'all' }],
  ])('%s', (name, variables) => {
    const read = () => readEnv(variables);
    expect(read).toThrow(StartError);
    expect(read).toThrow(new RegExp(`^${name}: [^\\n]+$`));
    expect(read).not.toThrow(/hu.?sh/);
  });
});

describe('settings', () => {
  test('have their defaults: port 8000 on localhost [spec 9.api.port]', () => {
    expect(readEnv({})).toMatchObject({ PORT: 8000, HOST: 'localhost', PUBLIC_URL: 'http://localhost:8000' });
  });

  test('show metrics to this machine only, and to none by default', () => {
    expect(readEnv({}).METRICS_PORT).toBeUndefined();
    expect(readEnv({ METRICS_PORT: '9464' })).toMatchObject({ METRICS_PORT: 9464, METRICS_HOST: '127.0.0.1' });
    expect(readEnv({ METRICS_PORT: '9464', METRICS_HOST: '10.0.0.7' })).toMatchObject({ METRICS_HOST: '10.0.0.7' });
  });

  test('have the values of a public server with ACME_EMAIL, unless they are set', () => {
    const variables = { ACME_EMAIL: 'owner@club.example', PUBLIC_URL: 'https://club.example' };
    expect(readEnv(variables)).toMatchObject({ PORT: 443, HTTP_PORT: 80, HOST: '0.0.0.0' });
    expect(new URL(readEnv(variables).ACME_DIRECTORY).hostname).toBe('acme-v02.api.letsencrypt.org');
    const own = { PORT: '8443', HTTP_PORT: '8080', HOST: '::' };
    expect(readEnv({ ...variables, ...own })).toMatchObject({ PORT: 8443, HTTP_PORT: 8080, HOST: '::' });
  });

  test.each([
    '/maps/town.pmtiles',
    'maps/{town}.pmtiles',
    'https://maps.example/town.pmtiles',
    'https://tiles.example/planet/{z}/{x}/{y}.pbf?key=k',
    'http://localhost:8080/{z}/{y}/{x}',
  ])('take the streets from %s', (streets) => {
    expect(readEnv({ MAP_STREETS: streets }).MAP_STREETS).toBe(streets);
  });

  test.each([
    'postgres://ada:p@ss@db:5432/x?application_name=a@b',
    'postgresql://ada:p%2Fss@[::1]/x',
    'postgres://ada:pass@/x?host=/run/postgresql',
    'postgres:///x',
    'postgres://localhost/x?user=ada@corp',
    'postgres://localhost:5432/x?user=ada@corp&password=p@ss',
  ])('take the database from %s', (DATABASE_URL) => {
    expect(readEnv({ DATABASE_URL }).DATABASE_URL).toBe(DATABASE_URL);
  });

  test('that are empty count as not set', () => {
    expect(readEnv({ PORT: '', DATABASE_URL: '' })).toMatchObject({ PORT: 8000 });
    expect(readEnv({ DATABASE_URL: '' }).DATABASE_URL).toBeUndefined();
  });

  test.each(['1', '10.0.0.1', '10.0.0.0/8, ::1', 'loopback,uniquelocal', 'fd00::/8'])(
    'trust the proxies %s',
    (TRUST_PROXY) => {
      expect(readEnv({ TRUST_PROXY }).TRUST_PROXY).toBe(TRUST_PROXY);
    },
  );

  test('give the public address as an origin', () => {
    expect(readEnv({ PUBLIC_URL: 'https://sendlap.example/' }).PUBLIC_URL).toBe('https://sendlap.example');
  });
});
