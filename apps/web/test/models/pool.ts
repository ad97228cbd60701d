import { getCenterProofs, getSportCenter, type SportCenter } from '@sendlap/contract/sport-centers.ts';
import type { Sport } from '@sendlap/domain/sports.ts';
import { center } from '#test/unit/fake-center.ts';
import type { FakeServer } from './fake-server.ts';

/** A pool in Madrid that offers only swimming. */
export const POOL: SportCenter = withSport(center(1, { name: 'La Cebada', city: 'Madrid' }), 'swimming');

function withSport(place: SportCenter, type: Sport): SportCenter {
  return { ...place, sport_facilities: place.sport_facilities.map((facility) => ({ ...facility, type })) };
}

/** Answers with the page of a center that has no referee and no kiosk. */
export function answerCenter(server: FakeServer, place: SportCenter = POOL): void {
  server.on(getSportCenter, () => place);
  server.on(getCenterProofs, () => ({ referee_sports: [], has_kiosk: false }));
}
