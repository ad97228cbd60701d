import { describe, expect, it } from 'vitest';
import { unwrapRing } from './unwrap-ring.ts';

describe('unwrapRing', () => {
  it('leaves a ring that does not cross the antimeridian as it is', () => {
    const ring = [
      [10, 50],
      [20, 50],
      [20, 60],
      [10, 50],
    ];
    expect(unwrapRing(ring)).toEqual(ring);
  });

  it('continues beyond 180 degrees, so that no edge spans the world', () => {
    const fiji = [
      [178, -16],
      [-179, -16],
      [-179, -17],
      [178, -17],
      [178, -16],
    ];
    expect(unwrapRing(fiji)).toEqual([
      [178, -16],
      [181, -16],
      [181, -17],
      [178, -17],
      [178, -16],
    ]);
  });

  it('puts the ring where most of it is, whichever point is first', () => {
    const russia = [
      [-170, 66],
      [30, 60],
      [30, 70],
      [179, 70],
      [-170, 66],
    ];
    const longitudes = unwrapRing(russia).map(([longitude]) => longitude);
    expect(longitudes).toEqual([190, 30, 30, 179, 190]);
  });

  it('closes a ring around a pole along that pole', () => {
    const antarctica = [
      [-180, -80],
      [-60, -70],
      [60, -70],
      [179, -80],
      [-180, -80],
    ];
    expect(unwrapRing(antarctica).slice(-4)).toEqual([
      [180, -80],
      [180, -90],
      [-180, -90],
      [-180, -80],
    ]);
  });
});
