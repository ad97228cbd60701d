import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Endpoint } from '@sendlap/contract/wire/endpoint.ts';

const FOLDER = new URL('../../../packages/contract/src/', import.meta.url);

/** Loads the whole contract. Returns its endpoints by the names under which its modules export them. */
export async function loadEndpoints(): Promise<Map<string, Endpoint>> {
  const files = readdirSync(fileURLToPath(FOLDER), { recursive: true, encoding: 'utf8' });
  const modules = await Promise.all(
    files
      .filter((name) => name.endsWith('.ts'))
      .map((name) => import(new URL(name, FOLDER).href) as Promise<Record<string, unknown>>),
  );
  const exported = modules.flatMap((module) => Object.entries(module));
  return new Map(exported.filter((entry): entry is [string, Endpoint] => isEndpoint(entry[1])));
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'access' in value && 'path' in value;
}

/** The operation of an endpoint, as documents name it: `GET /v1/chats`. */
export const operationOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): string => `${method} ${path}`;

/** Returns the operations of an OpenAPI document. */
export function operationsOf({ paths = {} }: { paths?: object }): string[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  );
}
