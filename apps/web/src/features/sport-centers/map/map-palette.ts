import { SPORT_TONES, type SportTone } from '#web/shared/sports/sport-tones.ts';

/** Colours of the map, in a notation that WebGL understands: of the sports, and of everything else. */
export interface MapPalette extends Record<SportTone | `on_${SportTone}`, string> {
  water: string;
  land: string;
  border: string;
  city: string;
  halo: string;
  surface: string;
  ink: string;
  accent: string;
  water_name: string;
  faint: string;
  wood: string;
  grass: string;
  built: string;
  building: string;
  road: string;
  road_edge: string;
}

const LAND = 'color-mix(in oklab, var(--color-sunken) 45%, var(--color-page))';
/** The green of a forest, mixed over the land colour: the same share looks calm in light and in dark. */
const GREEN = 'oklch(0.66 0.09 150)';

const SOURCES: Record<Exclude<keyof MapPalette, SportTone | `on_${SportTone}`>, string> = {
  water: 'color-mix(in oklab, var(--color-swim-tint) 88%, var(--color-swim))',
  land: LAND,
  border: 'color-mix(in oklab, var(--color-line) 70%, var(--color-ink-faint))',
  city: 'var(--color-ink-soft)',
  halo: LAND,
  surface: 'var(--color-raised)',
  ink: 'var(--color-ink)',
  accent: 'var(--color-accent)',
  water_name: 'var(--color-swim-ink)',
  faint: 'var(--color-ink-faint)',
  wood: `color-mix(in oklab, ${LAND}, ${GREEN} 20%)`,
  grass: `color-mix(in oklab, ${LAND}, ${GREEN} 11%)`,
  built: `color-mix(in oklab, ${LAND}, var(--color-ink) 4%)`,
  building: `color-mix(in oklab, ${LAND}, var(--color-ink) 10%)`,
  road: 'light-dark(var(--color-raised), color-mix(in oklab, var(--color-page), var(--color-ink) 21%))',
  road_edge: 'light-dark(color-mix(in oklab, var(--color-line), var(--color-ink) 6%), var(--color-sunken))',
};

const SPORT_SOURCES = SPORT_TONES.flatMap((tone): [string, string][] => [
  [tone, `var(--color-${tone})`],
  [`on_${tone}`, `var(--color-on-${tone})`],
]);

/**
 * The app's tokens as `rgb(…)`, as they apply inside `element` (light or dark). The browser computes them: each colour
 * is painted and read back as a pixel, since MapLibre parses neither oklch() nor light-dark(). All at once, so that it
 * computes the styles of the page only once.
 */
export function readMapPalette(element: HTMLElement): MapPalette {
  const sources = [...Object.entries(SOURCES), ...SPORT_SOURCES];
  const probes = sources.map(([, source]) => createProbe(source));
  element.append(...probes);
  const colors = probes.map((probe) => getComputedStyle(probe).color);
  for (const probe of probes) probe.remove();
  const painted = toRgb(colors);
  const entries = sources.map(([name], nth) => [name, painted[nth] ?? '#888']);
  return Object.fromEntries(entries) as MapPalette;
}

function createProbe(color: string): HTMLElement {
  const probe = document.createElement('span');
  probe.style.color = color;
  return probe;
}

/** Paints a pixel of each colour. Returns [] where the browser has no canvas. */
function toRgb(colors: readonly string[]): string[] {
  const context = new OffscreenCanvas(colors.length, 1).getContext('2d', { willReadFrequently: true });
  if (!context) return [];
  colors.forEach((color, x) => {
    context.fillStyle = color;
    context.fillRect(x, 0, 1, 1);
  });
  const { data } = context.getImageData(0, 0, colors.length, 1);
  return colors.map((_, nth) => `rgb(${data.slice(4 * nth, 4 * nth + 3).join(', ')})`);
}
