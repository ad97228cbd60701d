import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One requirement of the spec. Its id is short and stable: `<section>.<group>.<short-name>`. */
export type SpecLine = {
  id: string;
  section: number;
  name: string;
  /** The project's issue that closes the line. */
  issue: number;
  /** English text or token that the product must hold literally; `{n}` marks an inserted value. */
  exact?: string;
  /** Why the product deliberately departs from the spec. */
  departs?: string;
  /** Why the line is not done, although a test shows a part of it. */
  open?: string;
};

export type Ledger = { lines: SpecLine[]; problems: string[] };

export const SECTIONS: Readonly<Record<number, string>> = {
  1: 'What the product does and for whom',
  2: 'Screens and routes',
  3: 'Entities and their fields',
  4: 'States and transitions',
  5: 'Validation rules',
  6: 'Roles and permissions',
  7: 'The calls it makes',
  8: 'The error catalogue',
  9: 'Business constants and limits',
};

export const ISSUES: Readonly<Record<number, string>> = {
  2: 'The main job, end to end',
  3: 'Identity, session, request layer',
  4: 'Sport centers, map, location',
  5: 'Activities, QR, score',
  6: 'Ranks, badges, dashboard',
  7: 'Friends and chat',
};

/** Resolved issues: a test fails if one of their lines loses its last test. */
export const FINISHED_ISSUES = [2, 3, 4, 5, 6, 7];

const LEDGER_FOLDER = join(import.meta.dirname, 'ledger');

const ID_PATTERN = /^[1-9]\.[a-z0-9]+(-[a-z0-9]+)*\.[a-z0-9]+(-[a-z0-9]+)*$/;
const TEXT_KEYS = ['name', 'exact', 'departs', 'open'];
const KNOWN_KEYS = ['id', 'issue', ...TEXT_KEYS];

/** Reads every ledger file of a folder; returns problems of the data, one sentence each. */
export function loadLedger(folder = LEDGER_FOLDER): Ledger {
  const ledger: Ledger = { lines: [], problems: [] };
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  for (const file of files.sort()) {
    const entries: unknown = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    addEntries(ledger, file, entries);
  }
  return ledger;
}

/** Adds the entries of one file, except malformed ones, those of another section, and duplicate ids. */
export function addEntries(ledger: Ledger, file: string, entries: unknown): void {
  if (!Array.isArray(entries)) {
    ledger.problems.push(`${file}: is not a list`);
    return;
  }
  for (const [index, entry] of entries.entries()) {
    const where = `${file}: entry ${index + 1}`;
    const problem = findEntryProblem(entry);
    if (problem) {
      ledger.problems.push(`${where}: ${problem}`);
      continue;
    }
    const line = { ...entry, section: Number(entry.id[0]) } as SpecLine;
    if (!file.startsWith(`${line.section}-`)) ledger.problems.push(`${where}: ${line.id} is in another section's file`);
    if (ledger.lines.some((known) => known.id === line.id)) ledger.problems.push(`${where}: ${line.id} is there twice`);
    else ledger.lines.push(line);
  }
}

function findEntryProblem(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null) return 'is not an object';
  const fields = new Map(Object.entries(entry));
  const id: unknown = fields.get('id');
  if (typeof id !== 'string' || !ID_PATTERN.test(id)) return `id ${JSON.stringify(id)} is not <section>.<group>.<name>`;
  if (!fields.has('name')) return `${id} has no name`;
  if (!(Number(fields.get('issue')) in ISSUES)) return `${id} has no known issue`;
  for (const [key, value] of fields) {
    if (!KNOWN_KEYS.includes(key)) return `${id} has an unknown field ${key}`;
    if (TEXT_KEYS.includes(key) && !isText(value)) return `${id} has an empty ${key}`;
  }
  return undefined;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && value === value.trim();
}
