/** A point of the drawing, in its own units. */
export interface Point {
  x: number;
  y: number;
}

/**
 * Returns the corners of a radar chart: the first straight up, the others clockwise at equal angles, each at its value in
 * percent of `radius` from the middle (`middle`, `middle`). Values are clamped to 0 to 100.
 */
export function radarPoints(values: readonly number[], middle: number, radius: number): Point[] {
  return values.map((value, index) => {
    const angle = (2 * Math.PI * index) / values.length - Math.PI / 2;
    const distance = (radius * Math.min(100, Math.max(0, value))) / 100;
    return { x: round(middle + distance * Math.cos(angle)), y: round(middle + distance * Math.sin(angle)) };
  });
}

/** Formats the `points` attribute of a polygon. */
export function toPolygon(points: readonly Point[]): string {
  return points.map(({ x, y }) => `${x},${y}`).join(' ');
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
