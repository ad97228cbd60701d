import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '#web/shared/api/use-session.ts';
import { currentLanguage } from '#web/shared/i18n/i18n.ts';
import { ScreenSkeleton } from '#web/shared/ui/ScreenSkeleton.tsx';
import { BottomSheet, type Snap } from './BottomSheet.tsx';
import { defaultPlace } from './default-place.ts';
import { ListHeading } from './ListHeading.tsx';
import { LocationSheet } from './LocationSheet.tsx';
import { MapArea } from './MapArea.tsx';
import { ResultList } from './ResultList.tsx';
import { SearchFilters } from './SearchFilters.tsx';
import { beginSearch, type SearchState, useSearchState } from './search-store.ts';
import { useCenterSearch } from './use-center-search.ts';
import { useLocate } from './use-locate.ts';
import { useMapInset } from './use-map-inset.ts';

/** Sport centers as a map and as a list, which show the same. */
export function SportCentersPage() {
  const { user } = useSession();
  const state = useSearchState();
  const user_id = user?.id ?? null;
  const begin = useEffectEvent((id: string | null) => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    void beginSearch(id, { kind: 'place', ...defaultPlace(timeZone, currentLanguage()) });
  });
  useEffect(() => begin(user_id), [user_id]);
  return state ? <Discovery state={state} /> : <ScreenSkeleton />;
}

function Discovery({ state }: { state: SearchState }) {
  const { t } = useTranslation('sport-centers');
  const [snap, setSnap] = useState<Snap>('half');
  const [selectedId, setSelectedId] = useState<string | null>(null);
  const [pointedId, setPointedId] = useState<string | null>(null);
  const root = useRef<HTMLDivElement>(null);
  const result = useCenterSearch(state);
  const locate = useLocate();
  const inset = useMapInset(root, snap);
  const { items } = result;
  const find = (id: string | null) => items.find((center) => center.id === id) ?? null;
  const selected = useMemo(() => items.find(({ id }) => id === selectedId) ?? null, [items, selectedId]);
  const onMap = find(pointedId) ?? selected;

  function select(id: string): void {
    setSelectedId(id);
    setPointedId(null);
    if (snap !== 'half') setSnap('half');
  }

  function point(id: string): void {
    setPointedId(id);
    // A key that leads into a folded list unfolds it.
    if (snap === 'low') setSnap('half');
  }

  return (
    <div ref={root} className="vt-screen relative flex-1 overflow-clip">
      <title>{`${t('title')} · Sendlap`}</title>
      <h1 className="sr-only">{t('title')}</h1>
      <div className="absolute inset-0 wide:grid wide:grid-cols-[minmax(360px,440px)_1fr] wide:grid-rows-[auto_1fr]">
        <div className="absolute inset-x-0 top-0 z-20 pt-[calc(12px+env(safe-area-inset-top))] wide:static wide:pt-5">
          <SearchFilters state={state} />
        </div>
        <MapArea
          state={state}
          items={items}
          selected={onMap}
          camera={result.camera}
          inset={inset}
          has_room={snap === 'low'}
          locate={locate}
          onSelect={select}
        />
        <BottomSheet
          snap={snap}
          onSnap={setSnap}
          handle_label={snap === 'full' ? t('showMap') : t('showList')}
          header={<ListHeading state={state} result={result} />}
        >
          <ResultList state={state} result={result} selected={selected} onPoint={({ id }) => point(id)} />
        </BottomSheet>
      </div>
      <LocationSheet
        state={locate.sheet}
        is_busy={locate.is_busy}
        onShare={() => void locate.share()}
        onClose={locate.close}
      />
    </div>
  );
}
