import { getCenterProofs } from '@sendlap/contract/sport-centers.ts';
import type { KioskService } from '#api/modules/kiosks/service.ts';
import type { RefereeService } from '#api/modules/referees/service.ts';
import { AppError } from '#api/platform/errors.ts';
import type { Route } from '#api/platform/route.ts';
import type { SportCenterService } from './service.ts';

interface Proofs {
  sport_centers: Pick<SportCenterService, 'getById'>;
  referees: Pick<RefereeService, 'sportsRefereedAt'>;
  kiosks: Pick<KioskService, 'isAt'>;
  now: () => Date;
}

/** Which proofs exist at a center. It says that there are referees, never who. */
export function mountCenterProofs(route: Route, { sport_centers, referees, kiosks, now }: Proofs): void {
  route(getCenterProofs, async ({ params }) => {
    const center = sport_centers.getById(params.id.toLowerCase());
    if (!center) throw new AppError('sport_center_not_found', 'There is no such sport center');
    const [referee_sports, has_kiosk] = await Promise.all([
      referees.sportsRefereedAt(center.id, now()),
      kiosks.isAt(center.id),
    ]);
    return { referee_sports, has_kiosk };
  });
}
