import { boundingBox, distanceKm, type Position } from '@sendlap/domain/geo.ts';
import KDBush from 'kdbush';

interface Circle extends Position {
  radius_km: number;
}

/** The circles that towns fill. */
export interface TownCircles {
  /** The numbers of the towns whose circle holds the position, in order. */
  holding(position: Position): number[];
}

/** One index for each reach, so that a village's neighbourhood is not searched as far as a metropolis goes. */
const REACHES_KM = [30, 12, 5, 3];

/** Indexes the circles of `count` towns; none reaches farther than the first of REACHES_KM. */
export function buildTownCircles(count: number, circleOf: (number: number) => Circle): TownCircles {
  const members: number[][] = REACHES_KM.map(() => []);
  const positions = new Float64Array(count * 2);
  const radii = new Uint8Array(count);
  for (let number = 0; number < count; number += 1) {
    const { longitude, latitude, radius_km } = circleOf(number);
    positions[number * 2] = longitude;
    positions[number * 2 + 1] = latitude;
    radii[number] = radius_km;
    members[REACHES_KM.findLastIndex((reach) => radius_km <= reach)]?.push(number);
  }
  const layers = members.map((numbers, layer) => {
    const tree = new KDBush(numbers.length);
    for (const number of numbers) tree.add(positions[number * 2] ?? 0, positions[number * 2 + 1] ?? 0);
    if (numbers.length > 0) tree.finish();
    return { tree, numbers: Uint32Array.from(numbers), reach_km: REACHES_KM[layer] ?? 0 };
  });
  const holds = (number: number, position: Position) => {
    const center = { longitude: positions[number * 2] ?? 0, latitude: positions[number * 2 + 1] ?? 0 };
    return distanceKm(center, position) <= (radii[number] ?? 0);
  };
  return {
    holding: (position) =>
      layers
        .flatMap(({ tree, numbers, reach_km }) =>
          numbers.length === 0 ? [] : searchBox(tree, position, reach_km).map((index) => numbers[index] ?? 0),
        )
        .filter((number) => holds(number, position))
        .sort((a, b) => a - b),
  };
}

function searchBox(tree: KDBush, position: Position, reach_km: number): number[] {
  const { west, south, east, north } = boundingBox(position, reach_km);
  if (west <= east) return tree.range(west, south, east, north);
  return [...tree.range(west, south, 180, north), ...tree.range(-180, south, east, north)];
}
