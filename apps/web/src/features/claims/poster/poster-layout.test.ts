import { expect, test } from 'vitest';
import { layOutPoster, PAPERS, type Paper, wrapText } from './poster-layout.ts';
import { posterTexts } from './poster-texts.ts';

/** Wider than any letter of the font is on average. */
const measure = (text: string, size: number) => text.length * size * 0.62;

const NAMES = [
  'X',
  'Piscina Municipal Cubierta Ángel Nieto de Alcalá de Henares',
  '東京都新宿区スポーツセンター屋内プール東京都新宿区スポーツセンター屋内プール',
  'W'.repeat(300),
  'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch Climbing',
];
const CASES = (Object.keys(PAPERS) as Paper[]).flatMap((paper) =>
  (['en', 'es'] as const).flatMap((language) => NAMES.map((name) => [paper, language, name] as const)),
);

test.each(CASES)('on %s in %s nothing overlaps or leaves the page: %s', (paper, language, center_name) => {
  const { claim, steps } = posterTexts(language, ['climbing', 'swimming']);
  const footer = 'Club de Escalada y Natación de Alcalá de Henares · sendlap.club-alcala.example';
  const { lines, band, qr, discs } = layOutPoster({ center_name, claim, steps, footer }, paper, measure);
  const { width, height } = PAPERS[paper];
  for (const { text, x, y, size, align } of lines) {
    const half = measure(text, size) / (align === 'center' ? 2 : 1);
    expect(x + half).toBeLessThanOrEqual(width - 10);
    expect(y).toBeLessThan(height - 10);
  }
  expect(qr.size).toBeGreaterThanOrEqual(70);
  expect(qr.y).toBeGreaterThanOrEqual(band.y + band.height + 10);
  const first_step = Math.min(...discs.map(({ y, radius }) => y - radius));
  expect(first_step).toBeGreaterThanOrEqual(qr.y + qr.size + 10);
  // By the order in which they are drawn: name, claim, footer, steps.
  const name = lines.slice(
    0,
    lines.findIndex(({ color }) => color === 'white'),
  );
  expect(name.length).toBeGreaterThan(0);
  for (const { y } of name) expect(y).toBeLessThan(band.y);
  expect(discs).toHaveLength(3);
});

test('lines to be read at 2 m have letters of 6 mm and more', () => {
  const { lines } = layOutPoster(
    { center_name: 'Piscina', ...posterTexts('en', ['swimming']), footer: 'sendlap.example' },
    'a4',
    measure,
  );
  // Capitals are 0.7 of the size.
  for (const { text, size } of lines) if (text !== 'sendlap.example') expect(size * 0.7).toBeGreaterThanOrEqual(6);
});

test('a text breaks at spaces, and inside a word that is wider than a line, never inside a letter', () => {
  expect(wrapText('one two three', 7, (text) => text.length)).toEqual(['one two', 'three']);
  expect(wrapText('e\u0301'.repeat(3), 4, (text) => text.length)).toEqual(['e\u0301e\u0301', 'e\u0301']);
  expect(wrapText('  ', 7, (text) => text.length)).toEqual([]);
});
