import { Command } from '@commander-js/extra-typings';
import { withSessionLock } from '#api/database/session-lock.ts';
import { dataDir } from '#api/database/storage.ts';
import { recordAudit } from '#api/modules/audit/service.ts';
import { type CutTown, cutTown } from '#api/modules/tiles/cut/cut-town.ts';
import { CutRefused } from '#api/modules/tiles/cut/plan-cut.ts';
import { STREETS_LOCK } from '#api/modules/tiles/street-loads/load-queue.ts';
import { createTownService } from '#api/modules/towns/service.ts';
import { readEnv } from '#api/platform/env.ts';
import { type CommandContext, defineCommand, RefusedError } from './command.ts';

const MEGABYTE = 1e6;

export const command = defineCommand({
  noun: 'map',
  verb: 'fetch',
  summary: 'load the streets of a town',
  description: `Cuts the streets of a town out of the map at MAP_STREETS_SOURCE, at most 50 MB, and stores them in DATA_DIR: a running
server shows them at once. They take the place of those of another town. Interrupted, it goes on where it was.`,
  json: 'the town, its tiles, their bytes, and how far they reach',
  exit_codes: '0 loaded, 1 refused (the previous streets stay)',
  declare: () => new Command().argument('<town>', 'its name in any language; of several towns the most populous'),
  async run(context, _options, name) {
    const env = readEnv(process.env);
    if (env.MAP_STREETS !== undefined)
      throw new RefusedError('MAP_STREETS decides which streets the map has: remove it first.');
    const town = createTownService().findTown(name);
    if (!town) throw new RefusedError(`No town is called ${name}.`);
    const settings = { source: env.MAP_STREETS_SOURCE, data_dir: dataDir(env) };
    const cut = await withSessionLock(context.database, STREETS_LOCK, () => cutWithProgress(town, settings, context));
    if (!cut) throw new RefusedError('The server is loading streets. Wait for it, or cancel the load in the set-up.');
    const details = { by: 'operator CLI', name: town.name, ...cut };
    await recordAudit(context.database, { act: 'street_load_done', actor_id: null, details });
    const { tiles, bytes, radius_km } = cut;
    return {
      data: { town: { id: town.id, name: town.name }, ...cut },
      text: `The streets of ${town.name}, ${radius_km} km around it: ${tiles} tiles, ${toMegabytes(bytes)} MB.\n`,
    };
  },
});

type Town = Parameters<typeof cutTown>[0];

/** Throws RefusedError. */
async function cutWithProgress(
  town: Town,
  settings: { source: string; data_dir: string },
  { stderr, is_tty }: CommandContext,
): Promise<CutTown> {
  const end = is_tty ? '\r\u001b[K' : '';
  const onProgress = (fetched: number, total: number) => {
    if (is_tty) stderr.write(`${end}${toMegabytes(fetched)} of ${toMegabytes(total)} MB`);
  };
  try {
    const { signal } = new AbortController();
    return await cutTown(town, { ...settings, now: () => new Date(), signal, onProgress });
  } catch (error) {
    if (error instanceof CutRefused) throw new RefusedError(error.message);
    throw error;
  } finally {
    stderr.write(end);
  }
}

function toMegabytes(bytes: number): string {
  return (bytes / MEGABYTE).toFixed(1);
}
