import { isIP } from 'node:net';
import * as z from 'zod/mini';
import { hasEncodedPassword, NOT_ENCODED } from './encoded-password.ts';
import { isLocalHost, isLoopbackHost } from './local-hosts.ts';
import { findMistypedSettings } from './mistyped-settings.ts';
import { StartError } from './start-error.ts';

const text = (expected: string) => z.optional(z.string().check(z.minLength(1, `must be ${expected}`)));
const port = z.pipe(
  z.pipe(z.string().check(z.regex(/^\d{1,5}$/, 'must be a port number')), z.transform(Number)),
  z.number().check(z.lte(65_535, 'must be a port number')),
);
const Url = z.string().check(z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }));

const MAX_DRAIN_S = 300;
/**
 * Longer than three checks of HAProxy (6 s), and than nginx leaves out a node that refused a connection (10 s): another
 * node that was restarted just before takes requests again by then.
 */
const PROXY_DRAIN_S = 12;

/** Every setting, in the order of the table in docs/operating.md (a check compares the two). */
const Env = z.object({
  PORT: z.optional(port),
  HOST: text('an address to listen on'),
  PUBLIC_URL: z.optional(Url),
  DATA_DIR: text('a folder'),
  DATABASE_URL: z.optional(
    z
      .string()
      .check(z.regex(/^postgres(ql)?:\/\//, 'must be a postgres:// URL'), z.refine(hasEncodedPassword, NOT_ENCODED)),
  ),
  POSTGRES_BIN: text('a folder'),
  SECRET: z.optional(z.string().check(z.minLength(32, 'must have at least 32 characters'))),
  BACKUP_DIR: text('a folder'),
  BACKUP_KEEP: z._default(
    z.pipe(z.string().check(z.regex(/^\d{1,3}$/, 'must be a number of backups, 0 for none')), z.transform(Number)),
    7,
  ),
  BACKUP_VERIFY: z._default(z.enum(['0', '1'], 'must be 1, or 0 for backups without a trial restore'), '1'),
  OIDC_ISSUER: z.optional(Url),
  OIDC_CLIENT_ID: text('a client id'),
  OIDC_CLIENT_SECRET: text('a client secret'),
  OIDC_SIGNUP_URL: z.optional(Url),
  SMTP_URL: z.optional(
    z
      .string()
      .check(
        z.regex(/^smtps?:\/\/[^/\s]/, 'must be an smtp:// or smtps:// URL'),
        z.refine(hasEncodedPassword, NOT_ENCODED),
      ),
  ),
  MAIL_FROM: text('an e-mail address'),
  PUSH_ALLOW_LOCAL: z.optional(z.literal('1', 'must be 1')),
  MAP_STREETS: z.optional(
    z
      .string()
      .check(
        z.refine(isStreetsValue, 'must be a PMTiles file, its URL, or the URL of a tile server with {z}, {x}, {y}'),
      ),
  ),
  MAP_STREETS_SOURCE: z._default(
    z.string().check(z.refine((text) => isUrlWith(['{date}'], text), 'must be the http(s) URL of a PMTiles archive')),
    'https://build.protomaps.com/{date}.pmtiles',
  ),
  OVERPASS_URL: z._default(
    Url.check(z.refine((url) => new URL(url).username === '', 'must not contain a user name or password')),
    'https://overpass-api.de/api/interpreter',
  ),
  TRUST_PROXY: z.optional(
    z.string().check(z.refine(isTrustProxyValue, 'must be addresses, comma-separated, or a number of proxies')),
  ),
  TLS_CERT: text('a PEM file'),
  TLS_KEY: text('a PEM file'),
  ACME_EMAIL: z.optional(z.email('must be an e-mail address')),
  ACME_DIRECTORY: z._default(Url, 'https://acme-v02.api.letsencrypt.org/directory'),
  HTTP_PORT: z._default(port, 80),
  DRAIN_S: z.optional(
    z.pipe(
      z.string().check(z.regex(/^\d{1,3}$/, 'must be whole seconds, at most 300')),
      z.pipe(z.transform(Number), z.number().check(z.lte(MAX_DRAIN_S, 'must be whole seconds, at most 300'))),
    ),
  ),
  METRICS_PORT: z.optional(port),
  METRICS_HOST: text('an address to listen on'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.optional(Url),
  OTEL_TRACES_SAMPLER_ARG: z._default(
    z.pipe(z.string().check(z.regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be a share, from 0 to 1')), z.transform(Number)),
    1,
  ),
  LOG_LEVEL: z._default(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), 'info'),
});

/** The names of all settings. */
export const SETTING_NAMES = Object.keys(Env.shape) as (keyof z.infer<typeof Env>)[];

type Settings = z.infer<typeof Env>;
export type Env = Settings & {
  PORT: number;
  HOST: string;
  PUBLIC_URL: string;
  DRAIN_S: number;
  METRICS_HOST: string;
};

/** The metrics are for this machine only, by default. */
const METRICS_HOST = '127.0.0.1';

/** Where the server listens by default, and with ACME_EMAIL, where the internet has to reach it. */
const LOCAL_ADDRESS = { PORT: 8000, HOST: 'localhost' };
const PUBLIC_ADDRESS = { PORT: 443, HOST: '0.0.0.0' };

/**
 * Reads the settings. Throws a StartError of one line that names the first bad one. An empty value counts as unset.
 */
export function readEnv(variables: Record<string, string | undefined>): Env {
  const non_empty = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = Env.safeParse(non_empty);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new StartError(`${String(issue?.path[0])}: ${issue?.message}`);
  }
  const env = { ...(parsed.data.ACME_EMAIL ? PUBLIC_ADDRESS : LOCAL_ADDRESS), ...parsed.data };
  const public_url = new URL(env.PUBLIC_URL ?? `${env.TLS_CERT ? 'https' : 'http'}://localhost:${env.PORT}`);
  if (public_url.protocol === 'http:' && !isLoopbackHost(public_url.hostname)) {
    throw new StartError('PUBLIC_URL: must be https, for browsers give camera, keys and workers to https only');
  }
  if (env.POSTGRES_BIN && env.DATABASE_URL)
    throw new StartError('POSTGRES_BIN: must not be set beside DATABASE_URL, which names another server');
  if (env.TLS_KEY && !env.TLS_CERT) throw new StartError('TLS_CERT: must be set beside TLS_KEY');
  if (env.TLS_CERT && !env.TLS_KEY) throw new StartError('TLS_KEY: must be set beside TLS_CERT');
  if (env.TLS_CERT && public_url.protocol === 'http:')
    throw new StartError('PUBLIC_URL: must be https beside TLS_CERT');
  if (env.ACME_EMAIL && env.TLS_CERT) throw new StartError('ACME_EMAIL: must not be set beside TLS_CERT');
  if (env.ACME_EMAIL && env.PORT === env.HTTP_PORT) throw new StartError('HTTP_PORT: must be another port than PORT');
  if (env.ACME_EMAIL && !isPublicName(public_url)) {
    throw new StartError('PUBLIC_URL: must be https and a public name beside ACME_EMAIL, such as https://club.example');
  }
  if (public_url.pathname !== '/' || public_url.search || public_url.hash) {
    throw new StartError('PUBLIC_URL: must be an origin, without a path');
  }
  if (env.OIDC_ISSUER && !env.OIDC_CLIENT_ID) throw new StartError('OIDC_CLIENT_ID: must be set beside OIDC_ISSUER');
  if (env.SMTP_URL && !env.MAIL_FROM) throw new StartError('MAIL_FROM: must be set beside SMTP_URL');
  assertMetricsAddress(env);
  const { DRAIN_S = env.TRUST_PROXY === undefined ? 0 : PROXY_DRAIN_S } = env;
  return { METRICS_HOST, ...env, PUBLIC_URL: public_url.origin, DRAIN_S };
}

function assertMetricsAddress({ PORT, HTTP_PORT, ACME_EMAIL, METRICS_PORT: port, METRICS_HOST }: Settings): void {
  if (METRICS_HOST && port === undefined) throw new StartError('METRICS_PORT: must be set beside METRICS_HOST');
  const other = port === PORT ? 'PORT' : ACME_EMAIL && port === HTTP_PORT ? 'HTTP_PORT' : undefined;
  if (port && other) throw new StartError(`METRICS_PORT: must be another port than ${other}`);
}

/** Writes one line for each name in the environment that is probably one of our settings with a typing error. */
export function warnOfMistypedSettings(
  variables: Record<string, string | undefined>,
  stderr: { write(text: string): void },
) {
  for (const { name, suggestion } of findMistypedSettings(Object.keys(variables), SETTING_NAMES)) {
    stderr.write(`${name} is not a setting of Sendlap: did you mean ${suggestion}?\n`);
  }
}

/** A template needs each of its placeholders; any other brace in a URL is a placeholder that is not filled. */
function isStreetsValue(text: string): boolean {
  if (!/^https?:/i.test(text)) return !/\{[zxy]\}/.test(text);
  const is_template = text.includes('{');
  return (
    isUrlWith(is_template ? ['{z}', '{x}', '{y}'] : [], text) &&
    (!is_template || /\{z\}.*\{[xy]\}.*\{[xy]\}/.test(text))
  );
}

/** Whether the text is an http(s) URL whose only braces are those of the placeholders. */
function isUrlWith(placeholders: readonly string[], text: string): boolean {
  const filled = placeholders.reduce((rest, placeholder) => rest.replace(placeholder, '1'), text);
  return /^https?:$/.test(URL.parse(filled)?.protocol ?? '') && !/[{}]/.test(filled);
}

/** Returns the mail server, if there is one. */
export function readMailSettings({ SMTP_URL, MAIL_FROM }: Env): { smtp_url: string; from: string } | undefined {
  return SMTP_URL && MAIL_FROM ? { smtp_url: SMTP_URL, from: MAIL_FROM } : undefined;
}

/** Returns the external provider and the mail server, each undefined if it is not set. */
export function readIdentitySettings(env: Env) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: client_id, OIDC_CLIENT_SECRET: client_secret } = env;
  const external =
    issuer && client_id ? { issuer, client_id, client_secret, signup_url: env.OIDC_SIGNUP_URL } : undefined;
  return { external, mail: readMailSettings(env) };
}

/** True for a number of proxies, or a list of addresses, subnets and the names that the server's framework knows. */
function isTrustProxyValue(value: string): boolean {
  if (/^\d{1,3}$/.test(value)) return true;
  return value.split(',').every((part) => {
    const [address = '', bits, ...rest] = part.trim().split('/');
    const version = isIP(address);
    if (version === 0) return bits === undefined && /^(loopback|linklocal|uniquelocal)$/.test(address);
    if (bits === undefined) return true;
    return (
      rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128)
    );
  });
}

function isPublicName({ protocol, hostname }: URL): boolean {
  const is_address = isIP(hostname) !== 0 || hostname.startsWith('[');
  return protocol === 'https:' && hostname.includes('.') && !is_address && !isLocalHost(hostname);
}
