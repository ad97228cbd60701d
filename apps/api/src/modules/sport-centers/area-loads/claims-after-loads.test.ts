import { createClaimLine } from '@sendlap/contract/center-management/claims.ts';
import { expect, test } from 'vitest';
import type { SignedIn } from '#test/app/app.ts';
import {
  BILBAO,
  ended,
  first,
  GIRONA,
  holdReplies,
  operator,
  overpass,
  passTime,
  send,
  useLoadScene,
} from '#test/scenes/load-scene.ts';
import { hall, OverpassServer } from '#test/servers/overpass-server.ts';
import { importCenters } from '../import/import-centers.ts';
import { openRecords } from '../import/read/open-records.ts';

useLoadScene();

const element = { ...hall(1, BILBAO.latitude, BILBAO.longitude) };
const tags = { ...element.tags, website: 'https://mine.example.org/' };

/** The user, or a new one, loads the area from the map, where the hall has this web site. */
async function load(who?: SignedIn): Promise<void> {
  overpass.elements = [{ ...element, tags }];
  const { id } = (await send({ town_id: BILBAO.id }, who ?? (await first().signIn('Eve')))).json().data;
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

test('the web site of a center that a load of an operator has added proves at once', async () => {
  await load(operator);
  expect(await claim()).toBe(201);
});

test('a load that an operator takes over from an athlete proves nothing for a week: the athlete chose the moment', async () => {
  const [ada, eve] = [await first().signIn('Ada'), await first().signIn('Eve')];
  const held = holdReplies();
  await send({ town_id: GIRONA.id }, ada);
  await expect.poll(() => held.length).toBe(1);
  const { id } = (await send({ town_id: BILBAO.id }, eve)).json().data;
  expect((await send({ town_id: BILBAO.id })).json().data).toMatchObject({ id, status: 'waiting' });
  overpass.elements = [{ ...element, tags }];
  overpass.reply = OverpassServer.whole;
  held[0]?.writeHead(400).end();
  expect((await ended(id)).status).toBe('done');
  expect(await claim()).toBe('claim_way_unavailable');
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
