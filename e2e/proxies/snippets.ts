import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../server/journey-environment.ts';

export type ProxyProgram = 'nginx' | 'haproxy' | 'caddy';

const LANGUAGES: Record<ProxyProgram, string> = { nginx: 'nginx', haproxy: 'haproxy', caddy: 'caddyfile' };

/** Returns the configurations that the page of the operator shows; `suffix`: those with this after the language. */
export function readSnippets(suffix = ''): Record<ProxyProgram, string> {
  const page = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');
  const snippets = Object.entries(LANGUAGES).map(([program, language]) => [
    program,
    findBlock(page, language + suffix),
  ]);
  return Object.fromEntries(snippets) as Record<ProxyProgram, string>;
}

/** Returns the only block of this language. Throws if the page has no such block, or several. */
export function findBlock(page: string, language: string): string {
  const blocks = [...page.matchAll(/^```(\S[^\n]*)\n(.*?)^```$/gms)].filter(([, name]) => name === language);
  if (blocks.length !== 1) throw new Error(`the page has ${blocks.length} blocks of ${language}, not one`);
  return blocks[0]?.[2] ?? '';
}

/** Replaces each text, which has to be there once: otherwise a set-up would not be what its name says. */
export function rewrite(text: string, changes: readonly (readonly [string, string])[]): string {
  let changed = text;
  for (const [from, to] of changes) {
    if (changed.split(from).length !== 2) throw new Error(`"${from}" is not there once:\n${changed}`);
    changed = changed.replace(from, () => to);
  }
  return changed;
}
