import { readFileSync, writeFileSync } from 'node:fs';
import type { ApiDocument } from '#api/http/document/json-schema.ts';

/** The OpenAPI document of the last release, without examples. */
const FILE = new URL('../../../../docs/openapi.json', import.meta.url);

export function readKeptDocument(): ApiDocument {
  return JSON.parse(readFileSync(FILE, 'utf8')) as ApiDocument;
}

/** Each call is one line, so that a diff names the calls that have changed. */
export function writeKeptDocument({ openapi, info, components, paths }: ApiDocument): void {
  const calls = Object.entries(paths).map(([path, operations]) => {
    const lines = Object.entries(operations).map(([method, operation]) => `"${method}": ${toText(operation)}`);
    return `"${path}": {\n${lines.join(',\n')}\n}`;
  });
  const { title, version } = info;
  const head = `"openapi": "${openapi}",\n"info": ${toText({ title, version })},\n"components": ${toText(components)}`;
  writeFileSync(FILE, `{\n${head},\n"paths": {\n${calls.join(',\n')}\n}\n}\n`);
}

/** Without examples, and without the patterns of formats, which are long. */
function toText(value: unknown): string {
  return JSON.stringify(value, (key, part: unknown) => {
    if (key === 'example' || key === 'examples') return undefined;
    if (typeof part !== 'object' || part === null || !('format' in part)) return part;
    return { ...part, pattern: undefined };
  });
}
