import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const SRC = join(import.meta.dirname, '../src');
const UI = 'shared/ui/';

/** Queries, the server, the session, the database of this device, the outbox and the live stream. */
const DATA =
  /^(@tanstack\/react-query|idb|shared\/(api\/(client|use-session)|local-db\/database|outbox\/client|live\/client)\.ts)$/;

/** The server's time is no data: a component of the gallery may show a clock. */
const CLOCK = 'shared/time/use-now.ts';

/** Any import but one of types alone, static or lazy. */
const IMPORT = /^(?:import|export) (?!type\b)[^;']*'([^']+)'|\bimport\('([^']+)'\)/gm;

/** Components that draw from their props alone and are not in the gallery, by the reason. */
const EXCEPTIONS: Record<string, readonly string[]> = {
  'a whole page, which its journey shows': ['app/NotFoundPage', 'features/about/AboutPage'],
  'the page before any script, of which CSS shows a part': ['app/shell/Shell', 'app/shell/prerender'],
  'is only read aloud': ['features/leaderboards/BoardAnnouncer'],
  'shown by the state of the browser': ['features/install/InstallCard', 'features/offline/StorageFullCard'],
};

/** A component's file without its ending, in `src`. */
type ComponentFile = string;

/** Returns the text of a file in `src`. */
type ReadSource = (file: string) => string;

/** Returns every component that the gallery must show: all of `shared/ui`, and those that draw from their props alone. */
export function listComponents(): ComponentFile[] {
  const left_out = new Set(Object.values(EXCEPTIONS).flat());
  return listCandidates().filter((component) => !left_out.has(component));
}

/** Returns the exceptions that are needless: a component that is gone, or that the rule leaves out anyway. */
export function findNeedlessExceptions(): ComponentFile[] {
  const candidates = new Set(listCandidates());
  return Object.values(EXCEPTIONS)
    .flat()
    .filter((component) => !candidates.has(component));
}

function listCandidates(): ComponentFile[] {
  const read = (file: string) => readFileSync(join(SRC, file), 'utf8');
  return globSync('**/*.tsx', { cwd: SRC })
    .filter((file) => !file.endsWith('.test.tsx'))
    .filter((file) => file.startsWith(UI) || drawsFromPropsAlone(file, read))
    .map((file) => file.replace('.tsx', ''))
    .sort();
}

/** Returns whether no import of the file, nor one of theirs, reaches data. `file`: in `src`. */
export function drawsFromPropsAlone(file: string, read: ReadSource): boolean {
  const reached = new Set([file]);
  for (const reached_file of reached) {
    if (DATA.test(reached_file)) return false;
    if (!/\.tsx?$/.test(reached_file) || reached_file.startsWith('@') || reached_file === CLOCK) continue;
    for (const imported of importsOf(reached_file, read(reached_file))) reached.add(imported);
  }
  return true;
}

function importsOf(file: string, source: string): string[] {
  return [...source.matchAll(IMPORT)].map(([, fixed, lazy]) => {
    const name = fixed ?? lazy ?? '';
    if (name.startsWith('.')) return posix.join(posix.dirname(file), name);
    return name.replace(/^#web\//, '');
  });
}
