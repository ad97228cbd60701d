type Position = number[];

const HALF_TURN = 180;
const TURN = 360;

/**
 * Converts a ring on the globe to one on the plane. World-atlas joins land on both sides of the antimeridian, so its
 * rings jump from 180° to −180°, a line across the whole map. Here the ring continues beyond 180°, and one around a
 * pole (Antarctica) is closed along that pole.
 */
export function unwrapRing(ring: readonly Position[]): Position[] {
  const unwrapped: Position[] = [];
  let turns = 0;
  for (const [at, [longitude = 0, latitude = 0]] of ring.entries()) {
    const before = ring[at - 1]?.[0] ?? longitude;
    if (longitude - before > HALF_TURN) turns -= 1;
    if (before - longitude > HALF_TURN) turns += 1;
    unwrapped.push([longitude + turns * TURN, latitude]);
  }
  return turns === 0 ? toMainWorld(unwrapped) : closeAtPole(unwrapped);
}

/** Shifts the ring so that most of it lies between −180° and 180°. */
function toMainWorld(ring: Position[]): Position[] {
  const longitudes = ring.map(([longitude = 0]) => longitude);
  const middle = (Math.min(...longitudes) + Math.max(...longitudes)) / 2;
  const shift = Math.round(middle / TURN) * TURN;
  return shift === 0 ? ring : ring.map(([longitude = 0, latitude = 0]) => [longitude - shift, latitude]);
}

function closeAtPole(ring: Position[]): Position[] {
  const [first, last] = [ring[0], ring.at(-1)];
  if (!first || !last) return ring;
  const pole = (first[1] ?? 0) < 0 ? -90 : 90;
  return [...ring, [last[0] ?? 0, pole], [first[0] ?? 0, pole], first];
}
