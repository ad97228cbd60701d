import { distanceKm, type Position } from '@sendlap/domain/geo.ts';
import KDBush from 'kdbush';

const METRES_PER_DEGREE = 111_195;
const LAST_LATITUDE = 89;

/** Spatial index of positions, for searches of the nearest few hundred metres. */
export class PositionIndex<Item extends Position> {
  private readonly items: readonly Item[];
  private readonly tree: KDBush;

  constructor(items: readonly Item[]) {
    this.items = items;
    this.tree = new KDBush(items.length);
    for (const { latitude, longitude } of items) this.tree.add(longitude, latitude);
    this.tree.finish();
  }

  /**
   * Returns all items within `radius_m` metres with their distance, unordered. Does not search across the date line.
   */
  near({ latitude, longitude }: Position, radius_m: number): { item: Item; metres: number }[] {
    // Slightly more, against rounding.
    const high = (radius_m / METRES_PER_DEGREE) * 1.001;
    const edge = Math.min(LAST_LATITUDE, Math.abs(latitude) + high);
    const wide = high / Math.cos((edge * Math.PI) / 180);
    return this.tree
      .range(longitude - wide, latitude - high, longitude + wide, latitude + high)
      .flatMap((at) => this.items[at] ?? [])
      .map((item) => ({ item, metres: distanceKm(item, { latitude, longitude }) * 1000 }))
      .filter(({ metres }) => metres <= radius_m);
  }
}
