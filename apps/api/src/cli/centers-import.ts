import type { Writable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { dataDir } from '#api/database/storage.ts';
import { type ImportProgress, importCenters } from '#api/modules/sport-centers/import/import-centers.ts';
import { openAreaSource, openFileSource } from '#api/modules/sport-centers/import/import-source.ts';
import { ImportError } from '#api/modules/sport-centers/import/read/types.ts';
import { formatReport, type ImportReport } from '#api/modules/sport-centers/import/report.ts';
import { readEnv } from '#api/platform/env.ts';
import { type CommandContext, defineCommand, UsageError } from './command.ts';

const BAR_WIDTH = 30;
const DRAW_EVERY_MS = 100;
const AREA_PREFIX = 'overpass:';

const notes = `A closed center stays where activities refer to it, is not found by searches, and opens again when a file has it.

A mapping file, the fields from "ref" on as far as the table has them:
  {
    "columns": { "name": "Name", "latitude": "Lat", "longitude": "Lon", "ref": "Id", "address": "Street", "city": "Town",
                 "country": "Country", "phone": "Phone", "url": "Web" },
    "sports": ["climbing"]   or   { "column": "Kind", "values": { "Boulder hall": ["climbing"], "Bath": ["swimming"] } },
    "source": "city-of-x", "licence": "CC-BY-4.0", "attribution": "City of X",
    "is_private": { "column": "Access", "true": ["members"], "false": ["public"] },
    "delimiter": ";", "encoding": "latin1"
  }
"source", "licence" and "attribution" are mandatory; "delimiter" defaults to a comma and "encoding" to utf-8.`;

const declare = () =>
  new Command()
    .argument('<file>', 'a file, or overpass:<town or west,south,east,north>')
    .option('--dry-run', 'print what would happen, write nothing')
    .option('--report <file>', 'write the whole report, with every refusal, merge and closed center, as JSON')
    .option('--source <name>', 'the source of the records, if their ids do not include it', parseSource)
    .option('--licence <text>', 'the licence of the records, in place of the one that the file states')
    .option('--mapping <file>', 'what the columns of a table mean, see below')
    .option(
      '--complete',
      'the file holds all of its source: centers of that source that are not in it are closed. An area of an Overpass server is always complete',
    )
    .option('--yes', "close more than a third of a source's open centers")
    .option('--endpoint <url>', 'the Overpass server, in place of OVERPASS_URL', parseEndpoint)
    .option('--fresh', 'ask the Overpass server again for its answers of the last day');

type ImportOptions = ReturnType<ReturnType<typeof declare>['opts']>;

export const command = defineCommand({
  noun: 'centers',
  verb: 'import',
  summary: 'import sport centers from GeoJSON, Overpass JSON, tables, or live from Overpass',
  description: `Imports sport centers: from GeoJSON, from Overpass JSON, from a table (CSV) with a mapping file, or live from an Overpass
server. All of it or nothing is written; a second run changes nothing. Files of more than 200 MB have to be GeoJSON text
sequences (RFC 8142, or one feature a line).`,
  json: 'the report',
  exit_codes: '0 imported, 1 refused (nothing was changed) or no usable center in it',
  notes,
  declare,
  async run(context, options, input) {
    checkOptions(input, options);
    keepHeapSmall();
    try {
      const report = await importWithProgress(input, options, context);
      // If every feature was refused, the file was refused: a script must notice.
      const has_failed = report.read > 0 && report.read === report.refused_count;
      return { data: report, text: formatReport(report), has_failed };
    } catch (error) {
      if (!(error instanceof ImportError)) throw error;
      const { code, message, line } = error;
      const advice = code === 'overpass_failed' ? 'The answers so far are kept: run it again to go on.\n' : '';
      const problems = `${input} was refused, nothing was loaded.\n${message}\n${advice}`;
      return { data: { error: { code, message, line } }, text: '', problems, has_failed: true };
    }
  },
});

function parseSource(name: string): string {
  if (/^[\w.-]{1,60}$/.test(name)) return name;
  throw new InvalidArgumentError('It takes up to 60 letters, digits, dots, dashes and underscores.');
}

function parseEndpoint(url: string): string {
  if (/^https?:\/\//.test(url)) return url;
  throw new InvalidArgumentError('It takes an http(s) URL.');
}

function checkOptions(input: string, { source, mapping, endpoint, fresh }: ImportOptions): void {
  const is_area = input.startsWith(AREA_PREFIX);
  if (is_area && source !== undefined) throw new UsageError('--source is for files.');
  if (is_area && mapping !== undefined) throw new UsageError('--mapping is for files.');
  if (!is_area && (endpoint !== undefined || fresh))
    throw new UsageError('--endpoint and --fresh are for overpass:<area>.');
}

/**
 * Otherwise the parser's garbage piles up: a file of 20 MB took 333 MB without these flags, 288 MB with them.
 */
function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=25');
  setFlagsFromString('--semi-space-growth-factor=1');
}

async function importWithProgress(
  input: string,
  options: ImportOptions,
  { database, stderr, is_tty }: CommandContext,
): Promise<ImportReport> {
  const on_progress = is_tty ? createProgressBar(stderr) : undefined;
  try {
    return await importCenters({
      ...(await openSource(input, options, on_progress)),
      database,
      dry_run: options.dryRun ?? false,
      may_close_many: options.yes ?? false,
      report_path: options.report,
      on_progress,
    });
  } finally {
    if (is_tty) stderr.write('\r\u001b[K');
  }
}

function openSource(
  input: string,
  options: ImportOptions,
  onProgress: ((progress: ImportProgress) => void) | undefined,
) {
  const { mapping, source, licence, complete = false, fresh = false } = options;
  if (!input.startsWith(AREA_PREFIX)) {
    const file_options = {
      complete,
      ...(source && { source }),
      ...(licence && { licence }),
      ...(mapping && { mapping }),
    };
    return openFileSource(input, file_options, onProgress);
  }
  const env = readEnv(process.env);
  const { endpoint = env.OVERPASS_URL } = options;
  const area_options = { endpoint, fresh, data_dir: dataDir(env), ...(licence && { licence }) };
  return openAreaSource(input.slice(AREA_PREFIX.length), area_options, onProgress);
}

/** Redraws only a few times a second, but always draws the last step. */
function createProgressBar(stderr: Writable): (progress: ImportProgress) => void {
  let drawn_at = 0;
  return ({ phase, done, total }) => {
    const now = Date.now();
    if (done < total && now - drawn_at < DRAW_EVERY_MS) return;
    drawn_at = now;
    const share = total === 0 ? 1 : Math.min(1, done / total);
    const filled = Math.round(share * BAR_WIDTH);
    const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
    stderr.write(`\r\u001b[K${phase.padEnd(8)} ${bar} ${done}/${total}`);
  };
}
