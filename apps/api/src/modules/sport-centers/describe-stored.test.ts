import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Trx } from '#api/platform/database.ts';
import { addCenters, buildCenterScene, type CenterScene, type CenterSeed, starterSeeds } from '#test/center-scene.ts';
import { countWaiting } from '#test/lock-waits.ts';
import { describeStoredCenters } from './describe-stored.ts';
import { createSportCenterService } from './service.ts';
import { findUndescribed } from './store.ts';

let scene: CenterScene;

beforeAll(async () => {
  scene = await buildCenterScene(starterSeeds());
});

afterAll(() => scene.close());

/** How often this connection read the table so far. */
async function scansOf(trx: Trx): Promise<{ seq_scan: number; idx_scan: number }> {
  const { rows } = await sql<{ seq_scan: number; idx_scan: number }>`
    select seq_scan, idx_scan from pg_stat_xact_user_tables where relname = 'sport_centers'
  `.execute(trx);
  return rows[0] ?? { seq_scan: 0, idx_scan: 0 };
}

async function namesFoundBy(q: string): Promise<string[]> {
  await scene.service.refresh();
  const items = await scene.collect(`/v1/sport-centers/search?q=${q}`);
  return items.map((item) => (item as unknown as { name: string }).name);
}

describe('centers that another program stored', () => {
  it('are found without reading those that are described', async () => {
    await sql`analyze sport_centers`.execute(scene.database);
    await scene.database.transaction().execute(async (trx) => {
      const before = await scansOf(trx);
      expect(await findUndescribed(trx, 500)).toEqual([]);
      expect(await scansOf(trx)).toEqual({ seq_scan: before.seq_scan, idx_scan: before.idx_scan + 1 });
    });
  });

  it.each([
    ['name', sql`name = 'Zwölfer Halle'`, 'zwolfer'],
    ['other names', sql`other_names = '{Elfer}'`, 'elfer'],
    ['city', sql`city = 'Neunkirchen'`, 'neunkirchen'],
    ['address', sql`address = 'Achtergasse 8'`, 'achtergasse'],
    ['towns', sql`place_names = '{Siebenbürgen}'`, 'siebenburgen'],
  ])('are found by the %s that SQL changed', async (_, change, q) => {
    const [id = ''] = await addCenters(scene.database, [{ name: `Hall ${q} by`, at: [1, 1], sports: ['climbing'] }]);
    expect(await namesFoundBy(`hall%20by%20${q}`)).toHaveLength(1);
    await sql`update sport_centers set name = 'Nothing' where id = ${id}::uuid`.execute(scene.database);
    expect(await namesFoundBy(q)).toEqual([]);
    await sql`update sport_centers set ${change} where id = ${id}::uuid`.execute(scene.database);
    expect(await namesFoundBy(q)).toHaveLength(1);
  });

  it('keep what whoever changed them worked out', async () => {
    const [id = ''] = await addCenters(scene.database, [{ name: 'Old', at: [1, 1], sports: ['climbing'] }]);
    await scene.service.refresh();
    await sql`
      update sport_centers set name = 'New', search_name = 'new', search_text = 'new known', search_city = ''
      where id = ${id}::uuid
    `.execute(scene.database);
    expect(await findUndescribed(scene.database, 1)).toEqual([]);
    expect(await namesFoundBy('known')).toEqual(['New']);
  });
});

describe('while an import holds the data', () => {
  it('the server starts with all centers, and finds their words when it has ended', async () => {
    const seeds = Array.from(
      { length: 450 },
      (_, nth): CenterSeed => ({ name: `Held ${nth}`, at: [2, 2], sports: [] }),
    );
    await addCenters(scene.database, seeds);
    const { database } = scene;
    const service = await database.transaction().execute(async (trx) => {
      await sql`update sport_centers set phone = '1' where name = 'Held 7'`.execute(trx);
      const started = await createSportCenterService({ database, namesAround: () => [] });
      // A change that needs a row while the version is held: nobody may be in the way.
      await sql`update sport_centers set phone = '2' where name like 'Held%'`.execute(trx);
      return started;
    });
    const around = { latitude: 2, longitude: 2, radius_km: 1, limit: 1 };
    const totalOf = async (query: object) =>
      (JSON.parse((await service.searchSportCenters({ limit: 1, ...query })).body.toString()) as Total).data.total;
    expect(await totalOf(around)).toBe(450);
    expect(await totalOf({ q: 'held' })).toBe(0);
    await service.refresh();
    expect([await totalOf(around), await totalOf({ q: 'held' })]).toEqual([450, 450]);
    service.close();
  });

  it('it is not kept waiting by those that describe, who say that some are left', async () => {
    const { database } = scene;
    await addCenters(database, [{ name: 'Late', at: [3, 3], sports: ['climbing'] }]);
    const described = await database.transaction().execute(async (trx) => {
      await sql`set local lock_timeout = '100ms'`.execute(trx);
      await sql`update sport_centers set phone = '1' where name = 'Held 7'`.execute(trx);
      let is_seen = false;
      // Who describes gives up after a second: others follow until one of them was seen to wait.
      const describing = (async () => {
        const said: boolean[] = [];
        do said.push(await describeStoredCenters(database, () => []));
        while (!is_seen);
        return said;
      })();
      const seen = expect.poll(() => countWaiting(database), { interval: 20 }).toBe(1);
      await seen.finally(() => {
        is_seen = true;
      });
      await sql`update sport_centers set phone = '3' where name = 'Late'`.execute(trx);
      return await describing;
    });
    expect(new Set(described)).toEqual(new Set([false]));
    expect(await describeStoredCenters(database, () => [])).toBe(true);
    expect(await findUndescribed(database, 1)).toEqual([]);
  });
});

interface Total {
  data: { total: number };
}
