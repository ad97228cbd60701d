import { isDeepStrictEqual } from 'node:util';
import {
  type CenterDetails,
  type CenterDetailsChange,
  getCenterDetails,
  updateCenterDetails,
} from '@sendlap/contract/center-management/center-details.ts';
import { canHaveDistance, SPORTS } from '@sendlap/domain/sports.ts';
import type { Database, Trx } from '#api/database/database.ts';
import type { Route } from '#api/http/route.ts';
import { recordAudit } from '#api/modules/audit/service.ts';
import { AppError } from '#api/platform/errors.ts';
import { type EditableFacts, lockCenters, pick } from '../edits/edits.ts';
import { type DetailsRow, readDetails, saveFacts } from './store.ts';

export type CenterDetailsService = ReturnType<typeof createCenterDetailsService>;

/** A change of a center's facts by a manager: fields left out stay. */
type Change = { version: number } & CenterDetailsChange;

/** The facts of a center as its managers set them, in place of those of its source. */
export function createCenterDetailsService(database: Database) {
  return {
    /** Throws `sport_center_not_found`. */
    getDetails: async (id: string) => present(await readOrRefuse(database, id)),
    /**
     * Throws `sport_center_not_found`, and `center_changed` if another manager changed it since `version` and the
     * result is not the requested one.
     */
    updateDetails: (id: string, { version, ...body }: Change, actor_id: string): Promise<CenterDetails> =>
      database.transaction().execute(async (trx) => {
        await lockCenters(trx, [id]);
        const before = await readOrRefuse(trx, id);
        const next = change(before, body);
        const fields = Object.keys(next.wanted).filter(
          (field) => !isDeepStrictEqual(Reflect.get(next.wanted, field), Reflect.get(before.in_force, field)),
        );
        if (fields.length === 0) return present(before);
        if (version !== before.version)
          throw new AppError('center_changed', 'Another manager changed this since; look at it again');
        await saveFacts(trx, id, next.row);
        await recordAudit(trx, {
          act: 'center_details_changed',
          actor_id,
          details: { sport_center_id: id, fields: fields.sort() },
        });
        return present(await readOrRefuse(trx, id));
      }),
  };
}

export function mountCenterDetails(route: Route, details: CenterDetailsService): void {
  route(getCenterDetails, ({ params }) => details.getDetails(params.id));
  route(updateCenterDetails, ({ params, body }, { user_id }) => details.updateDetails(params.id, body, user_id));
}

async function readOrRefuse(executor: Database | Trx, id: string): Promise<DetailsRow> {
  const row = await readDetails(executor, id);
  if (!row) throw new AppError('sport_center_not_found', 'No sport center has this id');
  return row;
}

function present({ in_force, source_facts, ...row }: DetailsRow): CenterDetails {
  const { version, attribution } = row;
  return { version, ...in_force, source_facts, attribution };
}

/** Returns the wanted values, in the form in which they are stored, and the row with them. */
function change(before: DetailsRow, { pool_lengths_m, sports, ...texts }: CenterDetailsChange) {
  const wanted = withoutUndefined({
    ...texts,
    sports: sports && SPORTS.filter((sport) => sports.includes(sport)),
    pool_lengths_m: pool_lengths_m && [...new Set(pool_lengths_m)].sort((a, b) => a - b),
  });
  const { pool_lengths_m: lengths, ...in_force } = { ...before.in_force, ...wanted };
  const source: EditableFacts = { ...before.in_force, ...before.source_facts };
  const { pool_lengths_m: _lengths, ...wanted_facts } = wanted;
  const touched = Object.keys(wanted_facts) as (keyof EditableFacts)[];
  const kept = (Object.keys(before.source_facts) as (keyof EditableFacts)[]).filter(
    (field) => !touched.includes(field),
  );
  // A field that is set to what the source says follows the source again.
  const set = touched.filter((field) => !isDeepStrictEqual(in_force[field], source[field]));
  const edited = [...kept, ...set];
  const row = {
    version: before.version + 1,
    in_force,
    facts: pick(in_force, edited),
    source_facts: pick(source, edited),
    // Only a pool has lengths.
    pool_lengths_m: in_force.sports.some(canHaveDistance) ? lengths : [],
    place_names: before.place_names,
    other_names: before.other_names,
    city: before.city,
  };
  return { wanted, row };
}

function withoutUndefined<Fields extends object>(fields: Fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };
}
