import { SPORTS, type Sport } from '@sendlap/domain/sports.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import type { IconName } from '#web/shared/ui/icons/icon-paths.ts';
import { ICON_PATHS } from '#web/shared/ui/icons/icon-paths.ts';
import type { MapPalette } from './map-palette.ts';

/** Drawn at three times the size, so that it is sharp on every phone. */
export const PIN_PIXEL_RATIO = 3;

const DIAMETER = 34;
const RING = 3;
const ICON = 20;
const GRID = 24;

const PREFIX = 'pin-';
/** Names the pin of a center with every sport. */
const EVERY_SPORT = 'both';

interface Part {
  fill: string;
  ink: string;
  icon: IconName;
}

/** Returns the name of the pin of a center with these sports, without the style's prefix `pin-`. */
export function pinOf(types: readonly Sport[]): string {
  if (SPORTS.every((sport) => types.includes(sport))) return EVERY_SPORT;
  return SPORTS.filter((sport) => types.includes(sport)).join('+') || SPORTS[0];
}

/** Draws the pin with the name that the style uses (`pin-climbing`, …); returns null for other names. */
export function drawPin(name: string, palette: MapPalette): ImageData | null {
  if (!name.startsWith(PREFIX)) return null;
  const named = name.slice(PREFIX.length);
  const sports = SPORTS.filter((sport) => named === EVERY_SPORT || named.split('+').includes(sport));
  const parts = sports.map((sport): Part => {
    const { tone, icon } = SPORT_LOOKS[sport];
    return { fill: palette[tone], ink: palette[`on_${tone}`], icon };
  });
  return parts.length > 0 ? draw(parts, palette.surface) : null;
}

/** A disc for one sport; for several a pill with an equal part for each. */
function draw(parts: Part[], ring: string): ImageData | null {
  const step = DIAMETER - 8;
  const width = DIAMETER + (parts.length - 1) * step;
  const canvas = new OffscreenCanvas(width * PIN_PIXEL_RATIO, DIAMETER * PIN_PIXEL_RATIO);
  // Drawn on the CPU: reading pixels back from a busy GPU would block.
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return null;
  context.scale(PIN_PIXEL_RATIO, PIN_PIXEL_RATIO);
  context.fillStyle = ring;
  context.beginPath();
  context.roundRect(0, 0, width, DIAMETER, DIAMETER / 2);
  context.fill();
  context.beginPath();
  context.roundRect(RING, RING, width - 2 * RING, DIAMETER - 2 * RING, DIAMETER / 2);
  context.clip();
  for (const [at, part] of parts.entries()) {
    const from = (at * width) / parts.length;
    context.fillStyle = part.fill;
    context.fillRect(from, 0, width, DIAMETER);
    drawIcon(context, part, DIAMETER / 2 + at * step);
  }
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

function drawIcon(context: OffscreenCanvasRenderingContext2D, { icon, ink }: Part, middle: number): void {
  context.save();
  context.translate(middle - ICON / 2, (DIAMETER - ICON) / 2);
  context.scale(ICON / GRID, ICON / GRID);
  context.strokeStyle = ink;
  context.lineWidth = 2.2;
  context.lineCap = 'round';
  context.lineJoin = 'round';
  for (const path of ICON_PATHS[icon]) context.stroke(new Path2D(path));
  context.restore();
}
