import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { AreaLoadAccess, type ServerProfile, updateServerProfile } from '@sendlap/contract/server-profile.ts';
import { dataDir } from '#api/database/storage.ts';
import { createServerProfileService } from '#api/modules/server-profile/service.ts';
import { createTileService } from '#api/modules/tiles/service.ts';
import { createTownService } from '#api/modules/towns/service.ts';
import { readEnv } from '#api/platform/env.ts';
import { defineCommand, RefusedError, toTerminalSafeJson } from './command.ts';

const AREA_LOAD_ACCESS = AreaLoadAccess.options;
const COUNTRY_NAMES = new Intl.DisplayNames('en', { type: 'region' });

export const command = defineCommand({
  noun: 'server',
  verb: 'set',
  summary: "set the server's name, town and loads of areas",
  description: `Names the server, and chooses the town where the map begins for a visitor without a position. Without options it prints
the current choice.`,
  json: 'the name, the town, and who may load areas',
  exit_codes: '0 set or printed, 1 no such town',
  declare: () =>
    new Command()
      .option('--name <name>', 'the name, of 1 to 40 characters', parseName)
      .option('--no-name', 'remove the name: the app is called Sendlap')
      .option('--town <name>', 'the town, by its name in any language; of several towns the most populous')
      .option('--no-town', 'remove the town')
      .addOption(
        new Option('--area-loads <who>', 'who may load the sport centers of an area').choices(AREA_LOAD_ACCESS),
      ),
  async run({ database }, { name, town, areaLoads: area_loads }) {
    const towns = createTownService();
    const env = readEnv(process.env);
    const tiles = createTileService({ streets: env.MAP_STREETS, data_dir: dataDir(env) });
    const profile = createServerProfileService({ database, towns, tiles, env });
    const found = typeof town === 'string' ? towns.findTown(town) : undefined;
    if (typeof town === 'string' && !found) throw new RefusedError(`No town is called ${town}.`);
    const change = {
      name: typeof name === 'string' ? name : removal(name),
      town_id: found?.id ?? removal(town),
      area_loads,
    };
    const updated = await profile.update(change, null);
    return {
      data: { name: updated.name, town: updated.town, area_loads: updated.area_loads },
      text: describe(updated),
    };
  },
});

/** null for `--no-…`; undefined, which changes nothing, without the option. */
function removal(option: string | boolean | undefined): null | undefined {
  return option === false ? null : undefined;
}

/** Reads a name by the rule of the contract. */
function parseName(text: string): string {
  const { data } = updateServerProfile.body.safeParse({ name: text });
  if (!data?.name) throw new InvalidArgumentError('It takes 1 to 40 characters.');
  return data.name;
}

function describe({ name, town, area_loads }: ServerProfile): string {
  const town_text = town ? `${town.name}, ${COUNTRY_NAMES.of(town.country) ?? town.country}` : 'not chosen';
  return `Name: ${name === null ? 'Sendlap' : toTerminalSafeJson(name)}\nTown: ${town_text}\nLoads of areas: ${area_loads}\n`;
}
