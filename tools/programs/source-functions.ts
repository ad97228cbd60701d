import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import type { HotFunction } from '../../e2e/measured/cpu-profile.ts';

/** A function as its author wrote it. */
interface SourceFunction {
  /** Of an anonymous function, that of its line. */
  name: string;
  /** From the root of the project, or below node_modules. */
  file: string;
  self_ms: number;
}

/** Between a function's name and its parameters. */
const FILLER = /(?:\b(?:async|function)\b|<[^()]*>|[\s(*])+$/;
const NAMED = /([\w$]+)\s*[:=]?$/;
const KEYWORDS = new Set(['function', 'async', 'return', 'default', 'await', 'new']);
const ROOTS = /^.*?(?=node_modules\/|apps\/|packages\/)/;

type Origin = Omit<SourceFunction, 'self_ms'>;

/** Names the functions of built files by the source maps beside those of `dist`. Adds up what one source function became. */
export function nameFunctions(functions: readonly HotFunction[], dist: string): SourceFunction[] {
  const maps = new Map<string, SourceMap | null>();
  const found = new Map<string, SourceFunction>();
  for (const one of functions) {
    const file = new URL(one.url).pathname.slice(1);
    const map = maps.get(file) ?? readMap(join(dist, `${file}.map`));
    maps.set(file, map);
    const origin = (map && findOrigin(map, one)) ?? { name: one.name || 'evaluation', file };
    const key = `${origin.name} ${origin.file}`;
    const known = found.get(key) ?? { ...origin, self_ms: 0 };
    known.self_ms += one.self_ms;
    found.set(key, known);
  }
  return [...found.values()].sort((a, b) => b.self_ms - a.self_ms);
}

function readMap(path: string): SourceMap | null {
  if (!existsSync(path)) return null;
  return new SourceMap(JSON.parse(readFileSync(path, 'utf8')));
}

function findOrigin(map: SourceMap, { line, column, name }: HotFunction): Origin | null {
  const entry = map.findEntry(line, column);
  if (!('originalSource' in entry)) return null;
  const { originalSource: source, originalLine: source_line, originalColumn: source_column } = entry;
  if (!source) return null;
  const { sources, sourcesContent = [] } = map.payload;
  const text = sourcesContent[sources.indexOf(source)]?.split('\n')[source_line] ?? '';
  const written = nameAt(text, source_column);
  return { name: written ?? `line ${source_line + 1}${name && ` (${name})`}`, file: source.replace(ROOTS, '') };
}

/** Returns the name of the function whose parameters, or whose name, begin at the column. */
export function nameAt(text: string, column: number): string | null {
  const declared = /^(?:export\s+)?(?:default\s+)?(?:async\s+)?function\s*\*?\s*([\w$]+)/.exec(text.slice(column));
  const own = /^[\w$]+(?=\s*\()/.exec(text.slice(column));
  const before = NAMED.exec(text.slice(0, column).replace(FILLER, ''));
  const name = declared?.[1] ?? (own && !KEYWORDS.has(own[0]) ? own[0] : before?.[1]);
  return name && !KEYWORDS.has(name) ? name : null;
}
