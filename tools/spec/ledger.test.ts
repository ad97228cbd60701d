import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findUnknownIds, scanRepository } from './claims.ts';
import { addEntries, FINISHED_ISSUES, ISSUES, type Ledger, loadLedger, SECTIONS } from './ledger.ts';

const ledger = loadLedger();

function problemsOf(entries: unknown, file = '7-sample.json'): string[] {
  const sample: Ledger = { lines: [], problems: [] };
  addEntries(sample, file, entries);
  return sample.problems;
}

describe('a ledger file', () => {
  const good = { id: '7.auth.callback', issue: 3, name: 'exchanges the code' };

  it('is refused when it is not a list', () => {
    expect(problemsOf({ lines: [] })).toEqual(['7-sample.json: is not a list']);
  });

  it('is refused when an id occurs twice', () => {
    expect(problemsOf([good, good])).toEqual(['7-sample.json: entry 2: 7.auth.callback is there twice']);
  });

  it('is refused when an id is of another section than the file', () => {
    expect(problemsOf([good], '8-sample.json')).toEqual([
      "8-sample.json: entry 1: 7.auth.callback is in another section's file",
    ]);
  });

  it.each([
    ['null', null, 'is not an object'],
    ['an id without group', { ...good, id: '7.callback' }, 'is not <section>.<group>.<name>'],
    ['an id of a section that the spec does not have', { ...good, id: '0.auth.callback' }, 'is not <section>'],
    ['an id with capitals', { ...good, id: '7.auth.callBack' }, 'is not <section>'],
    ['no name', { id: good.id, issue: 3 }, 'has no name'],
    ['an empty name', { ...good, name: '' }, 'has an empty name'],
    ['a name of another type', { ...good, name: 7 }, 'has an empty name'],
    ['no issue', { id: good.id, name: 'x' }, 'has no known issue'],
    ['an issue that does not exist', { ...good, issue: 1 }, 'has no known issue'],
    ['an exact text with a space too many', { ...good, exact: 'Synced ' }, 'has an empty exact'],
    ['an unknown field', { ...good, exakt: 'Synced' }, 'has an unknown field exakt'],
  ])('is refused with %s', (_, entry, problem) => {
    expect(problemsOf([entry])).toEqual([expect.stringContaining(problem)]);
  });

  it('gives its lines the section of their id', () => {
    const sample: Ledger = { lines: [], problems: [] };
    addEntries(sample, '7-sample.json', [good]);
    expect(sample).toEqual({ lines: [{ ...good, section: 7 }], problems: [] });
  });
});

describe('the ledger', () => {
  it('has no problem', () => {
    expect(ledger.problems).toEqual([]);
  });

  it('names each id once', () => {
    const ids = ledger.lines.map((line) => line.id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it.each(Object.keys(SECTIONS).map(Number))('has lines of section %i', (section) => {
    expect(ledger.lines.filter((line) => line.section === section).length).toBeGreaterThan(5);
  });

  it.each(Object.keys(ISSUES).map(Number))('has lines that issue %i closes', (issue) => {
    expect(ledger.lines.filter((line) => line.issue === issue).length).toBeGreaterThan(5);
  });

  it('keeps ids short enough for the report', () => {
    expect(ledger.lines.filter((line) => line.id.length > 29)).toEqual([]);
  });

  it.each(FINISHED_ISSUES)('has a test for every line of issue %i', (issue) => {
    const shown = new Set(scanRepository(join(import.meta.dirname, '..', '..')).claims.map((claim) => claim.id));
    const open = ledger.lines.filter((line) => line.issue === issue && !shown.has(line.id));
    expect(open.map((line) => line.id)).toEqual([]);
  });

  it('knows every id that a test of this repository names, and every tag ends a title', () => {
    const scanned = scanRepository(join(import.meta.dirname, '..', '..'));
    expect(scanned.problems).toEqual([]);
    expect(findUnknownIds(scanned.claims, new Set(ledger.lines.map((line) => line.id)))).toEqual([]);
  });
});
