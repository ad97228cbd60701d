import type { Env } from '#api/platform/env.ts';
import { SETTING_NAMES } from '#api/platform/env.ts';

/** A setting as the operator sees it. */
export interface SettingValue {
  name: string;
  /** Without passwords and keys; null if the setting has no value. */
  value: string | null;
  source: 'environment' | 'default' | 'DATA_DIR' | 'unset';
}

const SECRETS: readonly string[] = ['SECRET', 'OIDC_CLIENT_SECRET'];
/** Settings that hold nothing but an address; MAP_STREETS may be a file. */
const ADDRESSES: ReadonlySet<string> = new Set([
  ...SETTING_NAMES.filter((name) => name.endsWith('_URL')),
  ...['OIDC_ISSUER', 'MAP_STREETS_SOURCE', 'ACME_DIRECTORY', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
]);
const SECRET_PARAMETER = /key|token|secret|password|signature|auth/i;

interface SettingSources {
  variables: Record<string, string | undefined>;
  /** Undefined if the settings cannot be read. */
  env: Env | undefined;
  data_dir: string | undefined;
  /** The secret is in the data folder. */
  has_secret_file: boolean;
}

/** Returns every setting with its value and where the value comes from, in the order of the documented table. */
export function describeSettings({ variables, env, data_dir, has_secret_file }: SettingSources): SettingValue[] {
  return SETTING_NAMES.map((name) => {
    const text = variables[name];
    if (text !== undefined && text !== '') return { name, value: mask(name, text), source: 'environment' };
    if (name === 'SECRET' && has_secret_file) return { name, value: 'a file', source: 'DATA_DIR' };
    const value = name === 'DATA_DIR' ? data_dir : env?.[name];
    return value === undefined
      ? { name, value: null, source: 'unset' }
      : { name, value: String(value), source: 'default' };
  });
}

/** Hides secrets, passwords in addresses, and keys in the query of addresses. Hides an address that cannot be parsed. */
function mask(name: string, value: string): string {
  if (SECRETS.includes(name)) return `${value.length} characters`;
  if (!/^\w+:\/\//.test(value)) return ADDRESSES.has(name) && /[@:]/.test(value) ? '***' : value;
  // A password that is not written in percent codes may hold `@ : / ? #`: all up to the last @ counts as one.
  const address = value.replace(/^(\w+:\/\/[^:]*):.*@/s, '$1:***@');
  if (URL.parse(address.replace('@/', '@host/')) === null) return '***';
  // What follows a key without a name of its own may be the rest of the key.
  return address.replace(/([?&])([^=&]+)=[^&]*(?:&[^=&]*(?=&|$))*/g, (whole, mark: string, parameter: string) =>
    SECRET_PARAMETER.test(parameter) ? `${mark}${parameter}=***` : whole,
  );
}
