import { expect, test } from 'vitest';
import { namedFirst } from './named-first.ts';

const centerOf = (name: string, ...other_names: string[]) => ({ id: name, name, other_names });
const townOf = (name: string, name_es: string | null = null) => ({ name, name_es });

const CEBADA = centerOf('Centro Deportivo La Cebada');
const LATINA = centerOf('Centro Deportivo La Latina', 'Piscina de la cebada vieja');
const MADRID_HALL = centerOf('Sharma Climbing Madrid');
const CELADA = townOf('Celada');

const namesOf = (text: string, centers = [MADRID_HALL, CEBADA], towns = [CELADA]) =>
  namedFirst(centers, text, towns).map(({ name }) => name);

test.each(['cebada', 'Cebada', 'CEB', 'la cebada', 'centro deportivo la cebada'])(
  'a center whose name has a word that begins with %j is listed before the towns',
  (text) => expect(namesOf(text)).toEqual([CEBADA.name]),
);

test('another name of a center counts as its name', () => {
  expect(namesOf('cebada', [LATINA])).toEqual([LATINA.name]);
});

test.each(['ebada', 'c', '', '  '])('%j names no center', (text) => expect(namesOf(text)).toEqual([]));

test('the name of a town means the town, in both languages, though a center begins with it too', () => {
  const towns = [townOf('London', 'Londres')];
  const centers = [centerOf('London Aquatics Centre'), centerOf('Londres Escalada')];
  for (const text of ['London', 'londres']) expect(namesOf(text, centers, towns)).toEqual([]);
});

test('a center named after a town is not meant by the beginning of that name, another one is', () => {
  const centers = [MADRID_HALL, centerOf('Madroño Climbing')];
  expect(namesOf('madr', centers, [townOf('Madrid')])).toEqual(['Madroño Climbing']);
});

test('at most three are listed before the towns, in their order', () => {
  const centers = ['D', 'B', 'A', 'C'].map((letter) => centerOf(`Cebada ${letter}`));
  expect(namesOf('cebada', centers)).toEqual(['Cebada D', 'Cebada B', 'Cebada A']);
});

test('without a suggested town the list stays as it is', () => expect(namesOf('cebada', [CEBADA], [])).toEqual([]));
