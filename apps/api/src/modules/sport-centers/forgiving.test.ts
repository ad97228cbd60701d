import { afterAll, beforeAll, expect, it } from 'vitest';
import { addCenters, buildCenterScene, type CenterScene } from '#test/scenes/center-scene.ts';

let scene: CenterScene;

beforeAll(async () => {
  scene = await buildCenterScene([
    { name: 'Piscina Municipal', city: 'Bilbao', at: [43.26, -2.93], sports: ['swimming'] },
    { name: 'Rocódromo 100%_', city: 'Madrid', at: [40.4, -3.7], sports: ['climbing'] },
    { name: 'Natacoin', city: 'Madrid', at: [40.4, -3.7], sports: ['swimming'], closed: true },
    { name: 'Natación Vallecas', city: 'Madrid', at: [40.4, -3.7], sports: ['swimming'] },
  ]);
});

afterAll(() => scene.close());

async function names(query: Record<string, string>): Promise<string[]> {
  const { status, body } = await scene.get(`/v1/sport-centers/search?${new URLSearchParams(query)}`);
  expect(status).toBe(200);
  expect(body.data.total).toBe(body.data.items.length);
  return body.data.items.map(({ name }: { name: string }) => name);
}

it.each([
  [{ q: 'viscina' }],
  [{ q: 'pisna' }],
  [{ q: 'pisicna madrid' }],
  [{ q: 'pisicna', sport: 'climbing' }],
  [{ q: 'pisicna', latitude: '40.4', longitude: '-3.7', radius_km: '5' }],
  [{ city: 'Bilbau' }],
  [{ q: 'piscina', city: 'Bilbau' }],
  [{ q: '1001' }],
])('finds nothing for %o', async (query) => {
  expect(await names(query)).toEqual([]);
});

it.each([
  [{ q: 'pisicna' }, 'Piscina Municipal'],
  [{ q: 'piscna Bilbo' }, 'Piscina Municipal'],
  [{ q: 'municpal', city: 'bil' }, 'Piscina Municipal'],
  [{ q: 'rocodormo 100%' }, 'Rocódromo 100%_'],
  [{ q: 'natacoin' }, 'Natación Vallecas'],
])('finds for %o the intended center', async (query, name) => {
  expect(await names(query as Record<string, string>)).toEqual([name]);
});

// Last: it changes the data.
it('knows the words of a new center as soon as the center is found, and then corrects none that it has', async () => {
  expect(await names({ q: 'vallecsa' })).toEqual(['Natación Vallecas']);
  expect(await names({ q: 'kletterhale' })).toEqual([]);
  await addCenters(scene.database, [
    { name: 'Kletterhalle', at: [48.2, 16.4], sports: ['climbing'] },
    { name: 'Vallecsa', at: [48.2, 16.4], sports: ['climbing'] },
  ]);
  await scene.service.refresh();
  expect(await names({ q: 'kletterhale' })).toEqual(['Kletterhalle']);
  expect(await names({ q: 'vallecsa' })).toEqual(['Vallecsa']);
});
