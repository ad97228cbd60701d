import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const css = readFileSync(new URL('./styles.css', import.meta.url), 'utf8');

type Rgb = [number, number, number];

/** OKLCH to linear sRGB (Ottosson 2020), clipped to the gamut as a screen does. */
function linearRgb(l: number, chroma: number, hue: number): Rgb {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (value: number) => Math.min(1, Math.max(0, value));
  return [
    clip(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
    clip(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
    clip(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short),
  ];
}

/** The luminance of a token (WCAG 2.2) in one of the two themes. */
function luminance(token: string, theme: 'light' | 'dark'): number {
  const value = new RegExp(`--color-${token}: ([^;]+);`).exec(css)?.[1];
  if (!value) throw new Error(`no token ${token}`);
  const colors = [...value.matchAll(/oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g)];
  const color = theme === 'light' ? colors[0] : colors.at(-1);
  const [red, green, blue] = linearRgb(Number(color?.[1]), Number(color?.[2]), Number(color?.[3]));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(text: string, ground: string, theme: 'light' | 'dark'): number {
  const [low, high] = [luminance(text, theme), luminance(ground, theme)].sort((a, b) => a - b);
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
}

const GROUNDS = ['page', 'surface', 'raised', 'sunken'];
const HUES = ['accent', 'climb', 'swim', 'danger'];
const PAIRS: [string, string][] = [
  ...['ink', 'ink-soft', 'ink-faint'].flatMap((ink) => GROUNDS.map((ground): [string, string] => [ink, ground])),
  ...[...HUES, 'gold'].flatMap((hue) =>
    ['page', 'surface', 'raised', `${hue}-tint`].map((ground): [string, string] => [`${hue}-ink`, ground]),
  ),
  ...[...HUES, 'gold'].map((hue): [string, string] => [`on-${hue}`, hue]),
  ['on-accent', 'accent-press'],
  ['page', 'ink'],
];

test.each(['light', 'dark'] as const)('every text has a contrast of at least 4.5 on its ground: %s', (theme) => {
  const weak = PAIRS.map(([text, ground]) => ({ text, ground, ratio: contrast(text, ground, theme) }));
  expect(weak.filter(({ ratio }) => ratio < 4.5)).toEqual([]);
});
