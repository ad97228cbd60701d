import type { ServerProfile } from '@sendlap/contract/server-profile.ts';
import type { Town } from '@sendlap/contract/towns.ts';
import type { Database } from '#api/database/database.ts';
import { recordAudit } from '#api/modules/audit/service.ts';
import { hasOperator } from '#api/modules/operators/service.ts';
import type { TileService } from '#api/modules/tiles/service.ts';
import type { TownService } from '#api/modules/towns/service.ts';
import type { Env } from '#api/platform/env.ts';
import { AppError } from '#api/platform/errors.ts';
import { isLocalHost, isLoopbackHost } from '#api/platform/local-hosts.ts';

export type ServerProfileService = ReturnType<typeof createServerProfileService>;

/** A field that is missing stays as it is; null removes it. */
export interface ServerProfileChange {
  name?: string | null | undefined;
  town_id?: string | null | undefined;
  area_loads?: ServerProfile['area_loads'] | undefined;
}

interface Dependencies {
  database: Database;
  towns: Pick<TownService, 'getTown'>;
  tiles: Pick<TileService, 'hasStreets'>;
  env: Pick<Env, 'PUBLIC_URL'>;
  /** What other devices open first. With `--phone` the guide to trusting this server's certificate; the app by default. */
  join_url?: string | undefined;
}

/** The public facts of a server: name, town, who may load areas, whether the map has streets, the address for other devices. */
export function createServerProfileService({ database, towns, tiles, env, join_url = env.PUBLIC_URL }: Dependencies) {
  const { hostname } = new URL(env.PUBLIC_URL);
  const is_local = isLocalHost(hostname) || isLoopbackHost(hostname);

  async function getProfile(): Promise<ServerProfile> {
    const [row, is_waiting_for_operator, has_streets] = await Promise.all([
      database.selectFrom('server_profile').select(['name', 'town', 'area_loads']).executeTakeFirst(),
      // A server on the internet never says that its first operator is missing.
      is_local ? hasOperator(database).then((exists) => !exists) : false,
      tiles.hasStreets(),
    ]);
    const { name = null, town = null, area_loads = 'everyone' } = row ?? {};
    return { name, town: town as Town | null, area_loads, has_streets, join_url, is_waiting_for_operator };
  }

  return {
    getProfile,
    /** `actor_id` null: the operator CLI. Throws `town_unknown`. */
    async update({ name, town_id, area_loads }: ServerProfileChange, actor_id: string | null): Promise<ServerProfile> {
      const town = town_id && towns.getTown(town_id);
      if (town_id && !town) throw new AppError('town_unknown', 'No town has this id');
      const change = {
        ...(name !== undefined && { name }),
        ...(town_id !== undefined && { town: town ? JSON.stringify(town) : null }),
        ...(area_loads !== undefined && { area_loads }),
      };
      if (Object.keys(change).length > 0) {
        await database.transaction().execute(async (trx) => {
          await trx
            .insertInto('server_profile')
            .values({ name: null, town: null, ...change })
            .onConflict((conflict) => conflict.column('is_only').doUpdateSet(change))
            .execute();
          const details = {
            ...(name !== undefined && { name }),
            ...(town_id !== undefined && { town_id }),
            ...(area_loads !== undefined && { area_loads }),
          };
          await recordAudit(trx, { act: 'server_updated', actor_id, details });
        });
      }
      return getProfile();
    },
  };
}
