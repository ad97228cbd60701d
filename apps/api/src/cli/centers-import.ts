import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { readEnv } from '#api/env.ts';
import {
  IMPORT_USAGE,
  type ImportArguments,
  isArea,
  readArguments,
} from '#api/modules/sport-centers/import/import-arguments.ts';
import { type ImportProgress, importCenters } from '#api/modules/sport-centers/import/import-centers.ts';
import { openAreaSource, openFileSource } from '#api/modules/sport-centers/import/import-source.ts';
import { describeReport, type ImportReport } from '#api/modules/sport-centers/import/report.ts';
import { ImportError } from '#api/modules/sport-centers/import/types.ts';
import { defaultDataDir } from '#api/platform/embedded-postgres.ts';
import { type Command, type CommandContext, EXIT_OK, EXIT_REFUSED, EXIT_USAGE } from './command.ts';

const BAR_WIDTH = 30;
const DRAW_EVERY_MS = 100;
const PROJECT_ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** `centers import`: the operator's verb. Exit code 0, 1 (refused, or nothing in it usable) or 2 (usage). */
export const command: Command = {
  noun: 'centers',
  verb: 'import',
  summary: 'Import sport centers from GeoJSON, Overpass JSON, tables, or live from Overpass',
  usage: IMPORT_USAGE,
  run,
};

async function run(args: string[], context: CommandContext): Promise<number> {
  const parsed = readArguments(args);
  if (typeof parsed === 'string') {
    context.stderr.write(`${parsed}\n\n${IMPORT_USAGE}`);
    return EXIT_USAGE;
  }
  if (parsed.help) {
    context.stdout.write(IMPORT_USAGE);
    return EXIT_OK;
  }
  keepHeapSmall();
  try {
    const report = await importAsAsked(parsed, context);
    context.stdout.write(parsed.json ? `${JSON.stringify(report, null, 2)}\n` : describeReport(report));
    // A file whose every feature was refused is a refused file: a script must notice it.
    return report.read > report.refused_count || report.read === 0 ? EXIT_OK : EXIT_REFUSED;
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    const { code, message, line } = error;
    if (parsed.json) context.stdout.write(`${JSON.stringify({ error: { code, message, line } }, null, 2)}\n`);
    else context.stderr.write(`${parsed.from} was refused, nothing was loaded.\n${message}\n`);
    return EXIT_REFUSED;
  }
}

/** A long file makes nothing but short-lived objects, which would be let pile up to several times what is in use. */
function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=25');
  setFlagsFromString('--semi-space-growth-factor=1');
}

async function importAsAsked(parsed: ImportArguments, context: CommandContext): Promise<ImportReport> {
  const is_drawn = context.is_tty && !parsed.json;
  const on_progress = is_drawn ? createBar(context.stderr) : undefined;
  try {
    const source = await openSource(parsed, on_progress);
    return await importCenters({
      ...source,
      database: context.database,
      dry_run: parsed.dry_run,
      may_close_many: parsed.yes,
      report_path: parsed.report,
      on_progress,
    });
  } finally {
    if (is_drawn) context.stderr.write('\r\u001b[K');
  }
}

function openSource(parsed: ImportArguments, onProgress: ((progress: ImportProgress) => void) | undefined) {
  if (!isArea(parsed)) return openFileSource(parsed.from, parsed, onProgress);
  const env = readEnv(process.env);
  const data_dir = env.DATA_DIR ?? defaultDataDir(PROJECT_ROOT);
  const { licence, fresh, endpoint = env.OVERPASS_URL } = parsed;
  return openAreaSource(parsed.from.slice('overpass:'.length), { endpoint, fresh, licence, data_dir }, onProgress);
}

/** Draws at most some times a second, but every last step. */
function createBar(stderr: Writable): (progress: ImportProgress) => void {
  let drawn_at = 0;
  return (progress) => {
    const now = Date.now();
    if (progress.done < progress.total && now - drawn_at < DRAW_EVERY_MS) return;
    drawn_at = now;
    drawBar(progress, stderr);
  };
}

function drawBar({ step, done, total }: ImportProgress, stderr: Writable): void {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const filled = Math.round(share * BAR_WIDTH);
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
  stderr.write(`\r\u001b[K${step.padEnd(8)} ${bar} ${done}/${total}`);
}
