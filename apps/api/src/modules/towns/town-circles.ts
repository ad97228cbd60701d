import { boundingBox, distanceKm, type Position } from '@sendlap/domain/geo.ts';
import KDBush from 'kdbush';

interface Circle extends Position {
  radius_km: number;
}

/** One index per radius, so that a village's surroundings are not searched as far as a metropolis reaches. */
const LAYER_RADII_KM = [30, 12, 5, 3];

/** Indexes the circles of `count` towns; no circle exceeds the first of LAYER_RADII_KM. */
export function buildTownCircles(count: number, circleOf: (number: number) => Circle) {
  const members: number[][] = LAYER_RADII_KM.map(() => []);
  for (let number = 0; number < count; number += 1) {
    const { radius_km } = circleOf(number);
    members[LAYER_RADII_KM.findLastIndex((reach) => radius_km <= reach)]?.push(number);
  }
  const layers = members.flatMap((numbers, layer) => {
    if (numbers.length === 0) return [];
    const tree = new KDBush(numbers.length);
    for (const { longitude, latitude } of numbers.map(circleOf)) tree.add(longitude, latitude);
    tree.finish();
    return [{ tree, numbers: Uint32Array.from(numbers), reach_km: LAYER_RADII_KM[layer] ?? 0 }];
  });
  return {
    /** Returns, in order, the numbers of the towns whose circle contains the position. */
    containing: (position: Position): number[] =>
      layers
        .flatMap(({ tree, numbers, reach_km }) =>
          searchBox(tree, position, reach_km).map((index) => numbers[index] ?? 0),
        )
        .filter((number) => {
          const circle = circleOf(number);
          return distanceKm(circle, position) <= circle.radius_km;
        })
        .sort((a, b) => a - b),
  };
}

function searchBox(tree: KDBush, position: Position, reach_km: number): number[] {
  const { west, south, east, north } = boundingBox(position, reach_km);
  if (west <= east) return tree.range(west, south, east, north);
  return [...tree.range(west, south, 180, north), ...tree.range(-180, south, east, north)];
}
