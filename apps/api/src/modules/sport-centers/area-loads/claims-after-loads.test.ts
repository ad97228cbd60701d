import { createClaimLine } from '@sendlap/contract/center-management/claims.ts';
import { expect, test } from 'vitest';
import { BILBAO, ended, first, overpass, passTime, send, useLoadScene } from '#test/scenes/load-scene.ts';
import { hall } from '#test/servers/overpass-server.ts';
import { importCenters } from '../import/import-centers.ts';
import { openRecords } from '../import/read/open-records.ts';

useLoadScene();

const element = { ...hall(1, BILBAO.latitude, BILBAO.longitude) };
const tags = { ...element.tags, website: 'https://mine.example.org/' };

/** A new user loads the area from the map, where the hall has this web site. */
async function load(): Promise<void> {
  overpass.elements = [{ ...element, tags }];
  const { id } = (await send({ town_id: BILBAO.id }, await first().signIn('Eve'))).json().data;
  expect((await ended(id)).status).toBe('done');
}

/** A new user begins a claim of the only center. Returns the status, or why it was refused. */
async function claim(): Promise<number | string> {
  const { id } = await first().database.selectFrom('sport_centers').select('id').executeTakeFirstOrThrow();
  const { headers } = await first().signIn('Eve');
  const url = createClaimLine.path.replace(':id', id);
  const reply = await first().app.inject({ method: 'POST', url, headers });
  return reply.json().code ?? reply.statusCode;
}

test("the web site of a center that a load has just added proves nothing for a week: it may be a stranger's edit", async () => {
  await load();
  expect(await claim()).toBe('claim_way_unavailable');
  passTime(6 * 86_400_000);
  expect(await claim()).toBe('claim_way_unavailable');
  passTime(86_400_000);
  expect(await claim()).toBe(201);
});

test('the web site of a center that the operator has imported proves at once, also after a load that changes it nowhere', async () => {
  const geometry = { type: 'Point', coordinates: [BILBAO.longitude, BILBAO.latitude] };
  const features = [{ type: 'Feature', id: 'node/1', properties: tags, geometry }];
  const file = new Blob([JSON.stringify({ type: 'FeatureCollection', features })]);
  const open = async () => openRecords(file, { licence: 'ODbL-1.0' });
  expect(await importCenters({ database: first().database, open })).toMatchObject({ imported: 1 });
  expect(await claim()).toBe(201);
  await load();
  expect(await claim()).toBe(201);
});
