import { readFile, writeFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { type ImportProgress, importCenters } from '#api/modules/sport-centers/import/import-centers.ts';
import { describeReport, type ImportReport } from '#api/modules/sport-centers/import/report.ts';
import { ImportError } from '#api/modules/sport-centers/import/types.ts';
import { type Command, type CommandContext, EXIT_OK, EXIT_REFUSED, EXIT_USAGE } from './command.ts';

const BAR_WIDTH = 30;

const usage = `npm run sendlap -- centers import <file> [--dry-run] [--json] [--report <file>] [--source <name>] [--licence <text>]

Imports sport centers from GeoJSON (also one feature a line) or Overpass JSON. All of the file or nothing of it is
written; running it again changes nothing.

  --dry-run          say what would happen, write nothing
  --json             print the report as JSON
  --report <file>    write the whole report, with every refusal and merge, as JSON
  --source <name>    where the records come from, if their ids do not say it
  --licence <text>   the licence of the records, if the file does not state it

Exit code: 0 imported, 1 the file was refused or held no usable center, 2 wrong usage.
`;

/** `centers import`: the operator's verb. Exit code 0, 1 (file refused, or nothing in it usable) or 2 (usage). */
export const command: Command = {
  noun: 'centers',
  verb: 'import',
  summary: 'Import sport centers from GeoJSON or Overpass JSON',
  usage,
  run,
};

async function run(args: string[], context: CommandContext): Promise<number> {
  const parsed = parse(args);
  if (typeof parsed === 'string') {
    context.stderr.write(`${parsed}\n\n${usage}`);
    return EXIT_USAGE;
  }
  if (parsed.help) {
    context.stdout.write(usage);
    return EXIT_OK;
  }
  try {
    const report = await importFile(parsed, context);
    context.stdout.write(parsed.json ? `${JSON.stringify(report, null, 2)}\n` : describeReport(report));
    // A file whose every feature was refused is a refused file: a script must notice it.
    return report.read > report.refused.length || report.read === 0 ? EXIT_OK : EXIT_REFUSED;
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    const { code, message, line } = error;
    if (parsed.json) context.stdout.write(`${JSON.stringify({ error: { code, message, line } }, null, 2)}\n`);
    else context.stderr.write(`${parsed.file} was refused, nothing was loaded.\n${message}\n`);
    return EXIT_REFUSED;
  }
}

type Parsed = {
  file: string;
  dry_run: boolean;
  json: boolean;
  help: boolean;
  report?: string;
  source?: string;
  licence?: string;
};

function parse(args: string[]): Parsed | string {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        'dry-run': { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
        report: { type: 'string' },
        source: { type: 'string' },
        licence: { type: 'string' },
      },
    });
    const { 'dry-run': dry_run, ...rest } = values;
    const [file = ''] = positionals;
    if (!values.help && positionals.length !== 1) return 'Name exactly one file.';
    if (values.source !== undefined && !/^[\w.-]{1,60}$/.test(values.source)) {
      return '--source takes up to 60 letters, digits, dots, dashes and underscores.';
    }
    return { ...rest, file, dry_run };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function importFile(parsed: Parsed, context: CommandContext): Promise<ImportReport> {
  const text = await readText(parsed.file);
  const report = await importCenters({
    database: context.database,
    text,
    dry_run: parsed.dry_run,
    source: parsed.source,
    licence: parsed.licence,
    file_name: basename(parsed.file, extname(parsed.file)),
    on_progress: context.is_tty && !parsed.json ? (progress) => drawBar(progress, context.stderr) : undefined,
  }).finally(() => {
    if (context.is_tty && !parsed.json) context.stderr.write('\r\u001b[K');
  });
  if (parsed.report !== undefined) await writeFile(parsed.report, `${JSON.stringify(report, null, 2)}\n`);
  return report;
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ImportError('unreadable', `the file can't be read: ${reason}`);
  }
}

function drawBar({ step, done, total }: ImportProgress, stderr: Writable): void {
  const share = total === 0 ? 1 : done / total;
  const filled = Math.round(share * BAR_WIDTH);
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
  stderr.write(`\r\u001b[K${step.padEnd(8)} ${bar} ${done}/${total}`);
}
