import type { Claim } from './claims.ts';
import { ISSUES, SECTIONS, type SpecLine } from './ledger.ts';

/** A line of the ledger with the tests that show it. */
type Shown = SpecLine & { tests: { file: string; line: number }[] };

export const REPORT_WIDTH = 100;

const ID_WIDTH = 30;
const INDENT = ' '.repeat(2 + 2 + ID_WIDTH + 4);
const COUNT_WIDTH = 8;

/** Puts each claim under its line, keeping the ledger's order. */
export function joinClaims(lines: SpecLine[], claims: Claim[]): Shown[] {
  return lines.map((line) => ({
    ...line,
    tests: claims.filter((claim) => claim.id === line.id).map(({ file, line: at }) => ({ file, line: at })),
  }));
}

/** The report for people: the lines by section with their tests, then the counts by section and by issue. */
export function formatReport(lines: Shown[], onlyOpen: boolean): string {
  const parts: string[] = [];
  for (const section of Object.keys(SECTIONS).map(Number)) {
    const ofSection = lines.filter((line) => line.section === section);
    const listed = ofSection.filter((line) => !onlyOpen || line.tests.length === 0);
    if (listed.length === 0) continue;
    parts.push(`${section}  ${SECTIONS[section]}: ${countText(ofSection)}`, ...listed.map(formatLine), '');
  }
  parts.push(...formatCounts('By section', SECTIONS, lines, 'section'), '');
  parts.push(...formatCounts('By issue', ISSUES, lines, 'issue'), '', `Spec: ${countText(lines)}`);
  return parts.join('\n');
}

function formatLine(line: Shown): string {
  const mark = line.tests.length > 0 ? '✓' : '·';
  const name = line.exact ? `${line.name}: '${line.exact}'` : line.name;
  const head = `  ${mark} ${line.id.padEnd(ID_WIDTH)}#${line.issue}  `;
  const rows = [head + wrap(name).join(`\n${INDENT}`)];
  if (line.departs) rows.push(INDENT + wrap(`we depart: ${line.departs}`).join(`\n${INDENT}`));
  for (const test of line.tests) rows.push(`      ${shorten(`${test.file}:${test.line}`, REPORT_WIDTH - 6)}`);
  return rows.join('\n');
}

function formatCounts(
  title: string,
  names: Readonly<Record<number, string>>,
  lines: Shown[],
  key: 'section' | 'issue',
) {
  const columns = ['shown', 'open', 'lines'];
  const row = (label: string, cells: (string | number)[]) =>
    `  ${label.padEnd(REPORT_WIDTH / 2)}${cells.map((cell) => String(cell).padStart(COUNT_WIDTH)).join('')}`;
  const rows = [row(title, columns)];
  for (const [number, name] of Object.entries(names)) {
    const group = lines.filter((line) => line[key] === Number(number));
    if (group.length === 0) continue;
    const shown = group.filter((line) => line.tests.length > 0).length;
    rows.push(row(`${key === 'issue' ? '#' : ''}${number}  ${name}`, [shown, group.length - shown, group.length]));
  }
  return rows;
}

function countText(lines: Shown[]): string {
  const shown = lines.filter((line) => line.tests.length > 0).length;
  return `${shown} of ${lines.length} shown, ${lines.length - shown} open`;
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

/** Cuts a path's beginning off, because its end says more. */
function shorten(text: string, width: number): string {
  return text.length <= width ? text : `…${text.slice(text.length - width + 1)}`;
}
