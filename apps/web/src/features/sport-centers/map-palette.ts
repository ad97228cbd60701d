/** Colours of the map, in the notation that WebGL understands. */
export interface MapPalette {
  water: string;
  land: string;
  border: string;
  city: string;
  halo: string;
  surface: string;
  ink: string;
  accent: string;
  on_climb: string;
  climb: string;
  on_swim: string;
  swim: string;
}

const SOURCES: Record<keyof MapPalette, string> = {
  water: 'color-mix(in oklab, var(--color-swim-tint) 88%, var(--color-swim))',
  land: 'color-mix(in oklab, var(--color-sunken) 45%, var(--color-page))',
  border: 'color-mix(in oklab, var(--color-line) 70%, var(--color-ink-faint))',
  city: 'var(--color-ink-soft)',
  halo: 'color-mix(in oklab, var(--color-sunken) 45%, var(--color-page))',
  surface: 'var(--color-raised)',
  ink: 'var(--color-ink)',
  accent: 'var(--color-accent)',
  on_climb: 'var(--color-on-climb)',
  climb: 'var(--color-climb)',
  on_swim: 'var(--color-on-swim)',
  swim: 'var(--color-swim)',
};

/**
 * The app's tokens as `rgb(…)`, as they are inside `element` (light or dark). The browser does the arithmetic: it
 * paints each colour once and says which pixels came out, for MapLibre reads neither oklch() nor light-dark().
 */
export function readMapPalette(element: HTMLElement): MapPalette {
  const probe = document.createElement('span');
  element.append(probe);
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const entries = Object.entries(SOURCES).map(([name, source]) => {
    probe.style.color = source;
    return [name, context ? toRgb(context, getComputedStyle(probe).color) : '#888'];
  });
  probe.remove();
  return Object.fromEntries(entries) as MapPalette;
}

function toRgb(context: OffscreenCanvasRenderingContext2D, color: string): string {
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
  return `rgb(${red}, ${green}, ${blue})`;
}
