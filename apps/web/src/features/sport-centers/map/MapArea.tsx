import type { FoundSportCenter } from '@sendlap/contract/sport-centers.ts';
import { lazy, Suspense, use, useState } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { classes } from '#web/shared/ui/classes.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { IconButton } from '#web/shared/ui/controls/IconButton.tsx';
import { ListLayout } from '#web/shared/ui/list-layout.ts';
import type { SearchState } from '../search/search-store.ts';
import { searchInBox } from '../search/search-store.ts';
import type { MapCamera } from '../search/use-center-search.ts';
import type { LocateController } from '../search/use-locate.ts';
import { MapAttribution } from './MapAttribution.tsx';
import { MapBoundary } from './MapBoundary.tsx';
import { useStreets } from './map-config.ts';
import type { Inset, MapController, MapView } from './map-controller.ts';

const CenterMap = lazy(() => import('./CenterMap.tsx').then((module) => ({ default: module.CenterMap })));

interface MapAreaProps {
  state: SearchState;
  items: FoundSportCenter[];
  selected: FoundSportCenter | null;
  camera: MapCamera | null;
  inset: Inset;
  /** Whether there is space for more than one button. */
  has_room: boolean;
  /** Whether there is space for any button; without it the sheet would lie on them. */
  has_controls: boolean;
  locate: LocateController;
  onSelect: (center_id: string) => void;
}

/** Under the list, or next to it. */
export const MAP_PLACE =
  'absolute inset-0 wide:relative wide:inset-auto wide:row-span-2 wide:[view-transition-name:screen]';

/**
 * The map with its controls: search here, zoom, locate, attribution. Beside the page of a center it stays as it is, out
 * of sight.
 */
export function MapArea({
  state,
  items,
  selected,
  camera,
  inset,
  has_room,
  has_controls,
  locate,
  onSelect,
}: MapAreaProps) {
  const { t } = useTranslation('sport-centers');
  const streets = useStreets();
  const is_hidden = use(ListLayout) === 'beside';
  const [movedTo, setMovedTo] = useState<{ view: MapView; camera: MapCamera | null } | null>(null);
  const [has_failed, setHasFailed] = useState(false);
  const [map, setMap] = useState<Pick<MapController, 'zoom'> | null>(null);
  // A newer search has moved the map: the view before it is irrelevant.
  const view = movedTo?.camera === camera ? movedTo?.view : undefined;
  return (
    <div hidden={is_hidden} className={MAP_PLACE}>
      <MapBoundary message={t('map.failed')} inset={inset} onFail={() => setHasFailed(true)}>
        <Suspense
          fallback={<p className="grid size-full place-items-center bg-swim-tint text-ink-faint">{t('map.loading')}</p>}
        >
          <CenterMap
            label={t('map.label')}
            streets={streets}
            centers={items}
            selected={selected}
            me={state.me}
            origin={state.origin}
            camera={camera}
            inset={inset}
            is_hidden={is_hidden}
            onSelect={onSelect}
            onMove={(view) => setMovedTo({ view, camera })}
            onReady={setMap}
          />
        </Suspense>
      </MapBoundary>
      <div
        style={{ bottom: inset.bottom }}
        className={classes(
          'pointer-events-none absolute inset-x-0 px-3 pb-2 *:pointer-events-auto',
          !has_controls && 'invisible',
        )}
      >
        <div className="mb-2 ml-auto flex w-12 flex-col gap-2">
          {!has_failed && (
            <div className={classes('flex flex-col gap-2', !has_room && 'max-wide:hidden')}>
              <IconButton icon="plus" label={t('map.zoomIn')} variant="floating" onClick={() => map?.zoom(1)} />
              <IconButton icon="minus" label={t('map.zoomOut')} variant="floating" onClick={() => map?.zoom(-1)} />
            </div>
          )}
          <IconButton
            icon="locate"
            label={t('map.locate')}
            variant="floating"
            aria-busy={locate.is_busy}
            onClick={() => void locate.begin()}
          />
        </div>
        {!has_failed && <MapAttribution streets={streets} />}
      </div>
      <div
        style={{ top: inset.top }}
        className={classes('absolute inset-x-0 grid place-items-center pt-2', !view && 'invisible')}
      >
        <Button
          size="sm"
          icon="search"
          className="rounded-full! shadow-high"
          onClick={() => view && searchInBox(view.box, view.middle)}
        >
          {t('searchHere')}
        </Button>
      </div>
    </div>
  );
}
