import type { SportCenter } from '@sendlap/contract/sport-centers.ts';
import { boundingBox } from '@sendlap/domain/geo.ts';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { MapAttribution } from '../map/MapAttribution.tsx';
import { MapBoundary } from '../map/MapBoundary.tsx';
import { useStreets } from '../map/map-config.ts';
import type { MapCamera } from '../search/use-center-search.ts';

const CenterMap = lazy(() => import('../map/CenterMap.tsx').then((module) => ({ default: module.CenterMap })));
/** Radius shown around a center: its block with streets; without streets the distance to the next town. */
const STREETS_RADIUS_KM = 0.35;
const WORLD_RADIUS_KM = 1.2;

/** A static map of the center. The address is beside it for users who cannot see it. */
export function CenterMapPreview({ center }: { center: SportCenter }) {
  const { t } = useTranslation('sport-centers');
  const streets = useStreets();
  const radius_km = streets ? STREETS_RADIUS_KM : WORLD_RADIUS_KM;
  const camera: MapCamera = useMemo(
    () => ({ box: boundingBox(center, radius_km), is_already_visible: false }),
    [center, radius_km],
  );
  const [has_failed, setHasFailed] = useState(false);
  const noCenters = useMemo(() => [], []);
  return (
    <div className="flex min-h-48 flex-col overflow-hidden rounded-lg bg-swim-tint wide:@min-[640px]:min-h-[420px]">
      <div className="relative min-h-38 flex-1 *:absolute *:inset-0">
        <MapBoundary message={t('map.stillFailed')} onFail={() => setHasFailed(true)}>
          <Suspense fallback={null}>
            <CenterMap
              label={t('map.stillLabel', { name: center.name })}
              streets={streets}
              centers={noCenters}
              selected={center}
              me={null}
              origin={center}
              camera={camera}
              is_still
            />
          </Suspense>
        </MapBoundary>
      </div>
      {/* Below it: on a narrow phone its two lines would lie on the name of the center. */}
      {!has_failed && <MapAttribution streets={streets} className="w-full rounded-none" />}
    </div>
  );
}
