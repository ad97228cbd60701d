import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findUnknownIds, scanRepository } from './claims.ts';
import { findMissingTexts, findUnquotedTexts, readProductSource } from './exact-texts.ts';
import { ISSUES, loadLedger, SECTIONS } from './ledger.ts';
import { formatReport, joinClaims } from './report.ts';

/** The spec is not part of the repository; if it is found next to it, the ledger is compared with it. */
const SPEC = join(import.meta.dirname, '..', '..', '..', 'shared', 'spec.md');

const USAGE = `npm run spec -- [options]
Lists every line of the spec with the tests that show it. A test shows a line by a tag that ends
its title: 'signs out everywhere [spec 4.logout.order]', several ids with a comma between them.

  --open         only the lines that no test shows
  --section <n>  only this section, 1 to 9; may be repeated
  --issue <n>    only the lines that this issue closes; may be repeated
  --verify       fail when a line is claimed whose exact text is nowhere in the product, or not in the spec
  --json         the same as JSON
Exit code 1: a tag names no line, the ledger is wrong, or --verify found something; 2: bad option.`;

/** Parses the options, or ends the process with the usage. */
function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        open: { type: 'boolean', default: false },
        section: { type: 'string', multiple: true, default: [] },
        issue: { type: 'string', multiple: true, default: [] },
        verify: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    const section = numbersOf('section', values.section, SECTIONS);
    return { ...values, section, issue: numbersOf('issue', values.issue, ISSUES) };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    process.exit(2);
  }
}

function numbersOf(option: string, values: string[], known: Readonly<Record<number, string>>): number[] {
  for (const value of values) {
    if (!Object.hasOwn(known, value)) throw new Error(`--${option} ${value}: one of ${Object.keys(known).join(', ')}`);
  }
  return values.map(Number);
}

function main(): void {
  const options = readOptions();
  if (options.help) {
    console.log(USAGE);
    return;
  }
  const root = join(import.meta.dirname, '..', '..');
  const ledger = loadLedger();
  const scanned = scanRepository(root);
  const ids = new Set(ledger.lines.map((line) => line.id));
  const problems = [...ledger.problems, ...scanned.problems, ...findUnknownIds(scanned.claims, ids)];
  if (options.verify) {
    const claimed = new Set(scanned.claims.map((claim) => claim.id));
    for (const line of findMissingTexts(ledger.lines, claimed, readProductSource(root)))
      problems.push(`${line.id}: is claimed, but the product nowhere holds '${line.exact}'`);
    for (const line of existsSync(SPEC) ? findUnquotedTexts(ledger.lines, readFileSync(SPEC, 'utf8')) : [])
      problems.push(`${line.id}: the spec nowhere says '${line.exact}'`);
  }
  const lines = joinClaims(ledger.lines, scanned.claims).filter(
    (line) =>
      (options.section.length === 0 || options.section.includes(line.section)) &&
      (options.issue.length === 0 || options.issue.includes(line.issue)),
  );
  if (options.json) {
    const listed = lines.filter((line) => !options.open || line.tests.length === 0);
    console.log(JSON.stringify({ lines: listed, problems }, null, 2));
  } else {
    console.log(formatReport(lines, options.open));
  }
  for (const problem of problems) console.error(`error: ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}

main();
