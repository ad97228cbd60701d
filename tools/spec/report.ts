import type { Claim } from './claims.ts';
import { ISSUES, SECTIONS, type SpecLine } from './ledger.ts';

/** A line of the ledger with the tests that show it. */
type ReportLine = SpecLine & { tests: { file: string; line: number }[] };

/** `shown`: a test asserts it; `departs`: a test asserts the departure; `open`: no test asserts the whole of it. */
type State = 'shown' | 'departs' | 'open';

function stateOf({ tests, departs, open }: ReportLine): State {
  if (tests.length === 0 || open !== undefined) return 'open';
  return departs === undefined ? 'shown' : 'departs';
}

export const REPORT_WIDTH = 100;

const ID_WIDTH = 30;
const INDENT = ' '.repeat(2 + 2 + ID_WIDTH + 4);
const COUNT_WIDTH = 8;

/** Puts each claim under its line, keeping the ledger's order. */
export function joinClaims(lines: SpecLine[], claims: Claim[]): ReportLine[] {
  return lines.map((line) => ({
    ...line,
    tests: claims.filter((claim) => claim.id === line.id).map(({ file, line: at }) => ({ file, line: at })),
  }));
}

/** Formats the report for people: the lines by section with their tests, then the counts by section and by issue. */
export function formatReport(lines: ReportLine[], onlyOpen: boolean): string {
  const parts: string[] = [];
  for (const section of Object.keys(SECTIONS).map(Number)) {
    const ofSection = lines.filter((line) => line.section === section);
    const listed = ofSection.filter((line) => !onlyOpen || stateOf(line) === 'open');
    if (listed.length === 0) continue;
    parts.push(`${section}  ${SECTIONS[section]}: ${formatTotals(ofSection)}`, ...listed.map(formatLine), '');
  }
  parts.push(...formatCounts('By section', SECTIONS, lines, 'section'), '');
  parts.push(...formatCounts('By issue', ISSUES, lines, 'issue'), '', `Spec: ${formatTotals(lines)}`);
  return parts.join('\n');
}

function formatLine(line: ReportLine): string {
  const mark = { shown: '✓', departs: '≠', open: '·' }[stateOf(line)];
  const name = line.exact ? `${line.name}: '${line.exact}'` : line.name;
  const head = `  ${mark} ${line.id.padEnd(ID_WIDTH)}#${line.issue}  `;
  const rows = [head + wrap(name).join(`\n${INDENT}`)];
  if (line.departs) rows.push(INDENT + wrap(`we depart: ${line.departs}`).join(`\n${INDENT}`));
  if (line.open) rows.push(INDENT + wrap(`open: ${line.open}`).join(`\n${INDENT}`));
  for (const test of line.tests) rows.push(`      ${shorten(`${test.file}:${test.line}`, REPORT_WIDTH - 6)}`);
  return rows.join('\n');
}

function formatCounts(
  title: string,
  names: Readonly<Record<number, string>>,
  lines: ReportLine[],
  key: 'section' | 'issue',
) {
  const columns = ['shown', 'departs', 'open', 'lines'];
  const row = (label: string, cells: (string | number)[]) =>
    `  ${label.padEnd(REPORT_WIDTH / 2)}${cells.map((cell) => String(cell).padStart(COUNT_WIDTH)).join('')}`;
  const rows = [row(title, columns)];
  for (const [number, name] of Object.entries(names)) {
    const group = lines.filter((line) => line[key] === Number(number));
    if (group.length === 0) continue;
    const counts = countStates(group);
    const cells = [counts.shown, counts.departs, counts.open, group.length];
    rows.push(row(`${key === 'issue' ? '#' : ''}${number}  ${name}`, cells));
  }
  return rows;
}

function formatTotals(lines: ReportLine[]): string {
  const { shown, departs, open } = countStates(lines);
  return `${shown} of ${lines.length} shown, ${departs} depart, ${open} open`;
}

function countStates(lines: ReportLine[]): Record<State, number> {
  const counts = { shown: 0, departs: 0, open: 0 };
  for (const line of lines) counts[stateOf(line)] += 1;
  return counts;
}

function wrap(text: string): string[] {
  const rows: string[] = [];
  let row = '';
  for (const word of text.split(' ')) {
    if (row !== '' && row.length + 1 + word.length > REPORT_WIDTH - INDENT.length) {
      rows.push(row);
      row = word;
    } else row = row === '' ? word : `${row} ${word}`;
  }
  return [...rows, row];
}

/** Shortens a path at its beginning, because its end says more. */
function shorten(text: string, width: number): string {
  return text.length <= width ? text : `…${text.slice(text.length - width + 1)}`;
}
