import { readdir } from 'node:fs/promises';
import type { Endpoint } from '@sendlap/contract/wire/endpoint.ts';

/** Returns all endpoints that the contract's files export. */
export async function listEndpoints(): Promise<Endpoint[]> {
  const folder = new URL('../../../../packages/contract/src/', import.meta.url);
  const files = (await readdir(folder, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );
  const modules = await Promise.all(files.map((file) => import(new URL(file, folder).href) as Promise<object>));
  return modules.flatMap((module) => Object.values(module)).filter(isEndpoint);
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value;
}
