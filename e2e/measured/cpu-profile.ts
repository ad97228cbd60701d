import type { Blocking } from './main-thread.ts';

interface CallFrame {
  functionName: string;
  url: string;
  /** From 0. */
  lineNumber: number;
  columnNumber: number;
}

/** A CPU profile as Chromium's developer tools return it. */
export interface Profile {
  nodes: { id: number; callFrame: CallFrame; children?: number[] }[];
  /** µs of the clock of its traces. */
  startTime: number;
  samples?: number[];
  timeDeltas?: number[];
}

/** A function of a built file; line and column from 0. */
export interface HotFunction {
  url: string;
  line: number;
  column: number;
  name: string;
  self_ms: number;
}

/** Where blocking time went, in ms: our own scripts, those of the map's engine, and the browser's own work. */
export interface BlockingShares {
  own_ms: number;
  map_ms: number;
  browser_ms: number;
}

/** The chunks that have only the map's engine in them. */
const MAP_ENGINE = /\/map(~map-worker)?~CenterMap-/;
/** Enough that functions of one source line can be added up. */
const TOP = 40;
/** A longer gap between samples is time in which other work of the machine had the core. */
const LONGEST_SAMPLE_US = 10_000;

interface Sample {
  at_us: number;
  took_us: number;
  /** The innermost frame of a script. */
  script: CallFrame | null;
  is_idle: boolean;
}

function listSamples({ nodes, startTime, samples = [], timeDeltas = [] }: Profile): Sample[] {
  const by_id = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const scriptOf = (id: number | undefined): CallFrame | null => {
    if (id === undefined) return null;
    const frame = by_id.get(id)?.callFrame;
    return frame?.url.startsWith('http') ? frame : scriptOf(parents.get(id));
  };
  let at_us = startTime;
  return samples.map((id, nth) => {
    at_us += timeDeltas[nth] ?? 0;
    const took_us = Math.min(timeDeltas[nth + 1] ?? 0, LONGEST_SAMPLE_US);
    return { at_us, took_us, script: scriptOf(id), is_idle: by_id.get(id)?.callFrame.functionName === '(idle)' };
  });
}

/** Returns the functions of scripts with the most time of their own, native calls within them included. */
export function listHotFunctions(profile: Profile): HotFunction[] {
  const found = new Map<string, HotFunction>();
  for (const { script, took_us } of listSamples(profile)) {
    if (!script) continue;
    const { url, lineNumber: line, columnNumber: column, functionName: name } = script;
    const key = `${url}:${line}:${column}`;
    const known = found.get(key) ?? { url, line, column, name, self_ms: 0 };
    known.self_ms += took_us / 1000;
    found.set(key, known);
  }
  return [...found.values()].sort((a, b) => b.self_ms - a.self_ms).slice(0, TOP);
}

/** Divides the blocking time of each task by the samples within it. */
export function shareBlocking(profile: Profile, blocking: readonly Blocking[]): BlockingShares {
  const shares: BlockingShares = { own_ms: 0, map_ms: 0, browser_ms: 0 };
  const samples = listSamples(profile).filter(({ is_idle }) => !is_idle);
  for (const { blocking_ms, start_us, end_us } of blocking) {
    const within = samples.filter(({ at_us }) => at_us >= start_us && at_us <= end_us);
    if (within.length === 0) shares.browser_ms += blocking_ms;
    for (const { script } of within) {
      const whose = !script ? 'browser_ms' : MAP_ENGINE.test(script.url) ? 'map_ms' : 'own_ms';
      shares[whose] += blocking_ms / within.length;
    }
  }
  return shares;
}
