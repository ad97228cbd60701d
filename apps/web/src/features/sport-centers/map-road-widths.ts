import type { ExpressionSpecification } from 'maplibre-gl';

/** How much a road matters, by OpenMapTiles' class or Protomaps' kind; what is not here is no road for cars. */
export const ROAD_RANK: Record<string, number> = {
  motorway: 5,
  highway: 5,
  trunk: 5,
  primary: 4,
  secondary: 4,
  major_road: 4,
  tertiary: 3,
  minor: 2,
  minor_road: 2,
  service: 1,
  other: 1,
};

/** px of a road of each rank from 1 to 5; between the zooms it grows as the map does. */
const WIDTHS_PX: [zoom: number, ...by_rank: [number, number, number, number, number]][] = [
  [8, 0, 0, 0, 0.5, 1],
  [11, 0, 0, 0.6, 1.3, 2.2],
  [13, 0, 1, 2, 2.8, 3.8],
  [14, 0.8, 2, 3.2, 4.4, 5.6],
  [16, 3, 6, 8, 10, 12],
  [18, 7, 14, 18, 22, 26],
];

/** The width of a road by its rank and the zoom; `edge_px` more on each side wherever it is wide enough to have sides. */
export function roadWidth(rank: ExpressionSpecification, edge_px: number): ExpressionSpecification {
  const stops = WIDTHS_PX.flatMap(([zoom, ...widths]) => {
    const by_rank = widths.flatMap((px, at) => [at + 1, px < 1 ? px : px + 2 * edge_px]);
    return [zoom, ['match', rank, ...by_rank, 0]];
  });
  return ['interpolate', ['exponential', 1.4], ['zoom'], ...stops] as unknown as ExpressionSpecification;
}
