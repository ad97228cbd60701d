import type { Figure } from './figures.ts';

/** The nightly run of one program. */
export interface NightlyRow {
  /** `folder/program`. */
  program: string;
  seconds: number;
  figures: readonly Figure[];
  /** Why the program failed. */
  error?: string;
}

const FOLDERS = ['faults', 'bench'] as const;
const HEADINGS = ['program', 'result', 'seconds', 'control', 'goals', 'figures'];
const ERROR_LINES = 3;
const LINE_LENGTH = 160;

/**
 * Returns the programs named on a command line: `chat` means the program of this name in each folder, `bench/chat` only
 * the bench. Throws if a name has no program.
 */
export function selectPrograms(all: readonly string[], names: readonly string[]): string[] {
  if (names.length === 0) return [...all];
  for (const name of names) {
    const is_known = all.some((program) => program === name || program.endsWith(`/${name}`));
    if (!is_known) throw new Error(`There is no program "${name}".`);
  }
  return all.filter((program) => names.some((name) => program === name || program.endsWith(`/${name}`)));
}

/** Returns all programs as `folder/program`, faults first. */
export function toPrograms(list: (folder: string) => string[]): string[] {
  return FOLDERS.flatMap((folder) => list(folder).map((name) => `${folder}/${name}`));
}

/** Failed programs decide the exit code; a missed goal of speed alone is shown, but is no failure. */
export function resultOf({ error, figures }: NightlyRow): 'ok' | 'missed' | 'RED' {
  if (error !== undefined) return 'RED';
  return figures.some(({ goal }) => goal === 'missed') ? 'missed' : 'ok';
}

/** Formats one row per program, with a line for each of its figures. */
export function formatNightlyTable(rows: readonly NightlyRow[]): string {
  const lines = rows.flatMap((row) => {
    const [first = '', ...more] = describe(row);
    const counts = [countOf(row.figures, 'control', 'found'), countOf(row.figures, 'goal', 'reached')];
    const cells = [row.program, resultOf(row), row.seconds.toFixed(0), ...counts, first];
    return [cells, ...more.map((line) => ['', '', '', '', '', line])];
  });
  const all = [HEADINGS, ...lines];
  const widths = HEADINGS.map((_, column) => Math.max(...all.map((cells) => (cells[column] ?? '').length)));
  const table = all.map((cells) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [...table, '', summaryOf(rows)].join('\n');
}

function describe({ figures, error }: NightlyRow): string[] {
  const reasons = error?.split('\n').filter((line) => line.trim() !== '') ?? [];
  const marked = figures.map(({ name, text, goal, control }) => {
    const mark = goal === 'missed' ? 'MISSED ' : control ? 'control arm ' : '';
    return `${mark}${name}: ${text}`;
  });
  return [...reasons.slice(0, ERROR_LINES), ...marked].map((line) => line.slice(0, LINE_LENGTH));
}

/** Returns how many of the figures with this property have this value, as text. */
function countOf<Key extends 'goal' | 'control'>(figures: readonly Figure[], key: Key, value: Figure[Key]): string {
  const all = figures.filter((figure) => figure[key] !== undefined);
  return all.length === 0 ? '–' : `${all.filter((figure) => figure[key] === value).length} of ${all.length}`;
}

function summaryOf(rows: readonly NightlyRow[]): string {
  const red = rows.filter((row) => resultOf(row) === 'RED').map(({ program }) => program);
  const minutes = (rows.reduce((sum, { seconds }) => sum + seconds, 0) / 60).toFixed(0);
  const verdict = red.length === 0 ? 'nothing red' : `red: ${red.join(', ')}`;
  const count = rows.length === 1 ? '1 program' : `${rows.length} programs`;
  const missed = rows.flatMap(({ figures }) => figures).filter(({ goal }) => goal === 'missed').length;
  const goals = missed === 0 ? '' : `, ${missed} ${missed === 1 ? 'goal' : 'goals'} missed`;
  return `${count} in ${minutes} minutes, ${verdict}${goals}`;
}
