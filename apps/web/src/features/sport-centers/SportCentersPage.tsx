import { type ReactNode, type RefObject, use, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useSession } from '#web/shared/api/use-session.ts';
import { readPermission } from '#web/shared/data/device-position.ts';
import { deviceTimeZone } from '#web/shared/device/time-zone.ts';
import { currentLanguage } from '#web/shared/i18n/i18n.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { classes } from '#web/shared/ui/classes.ts';
import { ScreenSkeleton } from '#web/shared/ui/feedback/ScreenSkeleton.tsx';
import { ListLayout } from '#web/shared/ui/list-layout.ts';
import { useDebouncedValue } from '#web/shared/ui/use-debounced-value.ts';
import { SearchFilters } from './filters/SearchFilters.tsx';
import { BottomSheet } from './list/BottomSheet.tsx';
import { ListHeading } from './list/ListHeading.tsx';
import { useRememberedScroll, useRememberedSnap } from './list/list-memory.ts';
import { namedFirst } from './list/named-first.ts';
import { ResultList } from './list/ResultList.tsx';
import { coversMap, hasRoomForControls } from './list/sheet-heights.ts';
import { mapInset, useSheetRoom } from './list/use-sheet-room.ts';
import { MAP_PLACE, MapArea } from './map/MapArea.tsx';
import { defaultCity } from './search/default-city.ts';
import { LocationSheet } from './search/LocationSheet.tsx';
import { beginSearch, type SearchState, toQueryString, useSearchState } from './search/search-store.ts';
import { parseSearch } from './search/search-url.ts';
import { type ShownArea, shownArea } from './search/shown-area.ts';
import { TownSuggestions } from './search/TownSuggestions.tsx';
import { useCenterSearch } from './search/use-center-search.ts';
import { type LocateController, useLocate } from './search/use-locate.ts';
import { useReadText } from './search/use-read-text.ts';
import { useTownCombobox } from './search/use-town-combobox.ts';

const MAP_PAUSE_MS = 250;
const TYPING_PAUSE_MS = 150;

interface SportCentersPageProps {
  /** An action for the town or area on the map; another feature renders it, so the app passes it in. */
  renderAreaAction?: (area: ShownArea) => ReactNode;
  /** Loads the centers of that area from elsewhere. */
  renderLoadAction?: (area: ShownArea) => ReactNode;
}

/**
 * Sport centers as a map and a list with the same content. Beside the page of a center only the list is shown; the map
 * waits for the user's return as it was.
 */
export function SportCentersPage(slots: SportCentersPageProps) {
  const { user } = useSession();
  const user_id = user?.id ?? null;
  const state = useSearchState(user_id);
  const begin = useEffectEvent((id: string | null) => {
    const timeZone = deviceTimeZone();
    const fallback = { kind: 'town' as const, ...defaultCity(timeZone, currentLanguage()), town: null };
    void beginSearch(id, fallback, location.search);
  });
  useEffect(() => begin(user_id), [user_id]);
  return state ? <Discovery state={state} {...slots} /> : <ScreenSkeleton />;
}

function Discovery({ state, renderAreaAction, renderLoadAction }: SportCentersPageProps & { state: SearchState }) {
  const { t } = useTranslation('sport-centers');
  const is_beside = use(ListLayout) === 'beside';
  const [snap, setSnap] = useRememberedSnap();
  const [selectedId, setSelectedId] = useState<string | null>(null);
  const [highlightedId, setHighlightedId] = useState<string | null>(null);
  const root = useRef<HTMLDivElement>(null);
  const read = useReadText(state);
  const meant = read.understood?.search ?? state;
  const result = useCenterSearch(meant, read.understood !== null && state.radius_km === null);
  // `state` holds the typed text and the chosen filters; this is the search that they mean.
  const search = result.is_widened ? { ...meant, radius_km: null } : meant;
  const locate = useLocate();
  const bar = useRef<HTMLDivElement>(null);
  const room = useSheetRoom(root, bar);
  const inset = useMemo(() => mapInset(snap, room), [snap, room]);
  const { items, camera } = result;
  const mapInput = useMemo(() => ({ items, camera }), [items, camera]);
  // Debounced: redrawing the map for every letter would delay typing. Behind a sheet or a center the map is not visible at
  // all.
  const isCovered = is_beside || coversMap(snap, room);
  const debouncedInput = useDebouncedValue(mapInput, isCovered ? null : state.q === '' ? 0 : MAP_PAUSE_MS);
  const towns = useTownCombobox({ state, read, has_centers: items.length > 0, onDone: endTyping });
  const named = namedFirst(items, state.q, towns.suggestions);
  const area = shownArea(search);
  const shouldLoadMap = useShouldLoadMap(!result.is_pending, is_beside);
  const list = useRememberedScroll(toQueryString(search));
  useRestoreNearMe(locate, state.me !== null);
  useSearchUrl(toQueryString({ ...state, q: useDebouncedValue(state.q.trim(), TYPING_PAUSE_MS) }));
  const find = (id: string | null) => items.find((center) => center.id === id) ?? null;
  const selected = useMemo(() => items.find(({ id }) => id === selectedId) ?? null, [items, selectedId]);
  const highlighted = find(highlightedId) ?? selected;

  function select(id: string): void {
    setSelectedId(id);
    setHighlightedId(null);
    if (snap !== 'half') setSnap('half');
  }

  /** A phone's keyboard makes room for the results; elsewhere the field keeps the focus. */
  function endTyping(): void {
    setSnap('half');
    if (matchMedia('(pointer: coarse)').matches) root.current?.querySelector('input')?.blur();
  }

  function highlight(id: string): void {
    setHighlightedId(id);
    // Moving into a folded list by keyboard unfolds it.
    if (snap === 'low') setSnap('half');
  }

  return (
    <SearchFrame ref={root}>
      <div
        ref={bar}
        className="absolute inset-x-0 top-0 z-20 pt-[calc(12px+env(safe-area-inset-top))] wide:static wide:pt-5"
      >
        <SearchFilters state={state} search={search} result={result} towns={towns} onTyping={() => setSnap('cover')} />
      </div>
      {shouldLoadMap ? (
        <MapArea
          state={search}
          items={debouncedInput.items}
          selected={highlighted}
          camera={debouncedInput.camera}
          inset={inset}
          has_room={snap === 'low'}
          has_controls={hasRoomForControls(snap, room)}
          locate={locate}
          onSelect={select}
        />
      ) : (
        !is_beside && <div className={`${MAP_PLACE} bg-swim-tint`} />
      )}
      <BottomSheet
        snap={snap}
        onSnap={setSnap}
        room={room}
        handle_label={snap === 'full' || snap === 'cover' ? t('showMap') : t('showList')}
        header={
          <ListHeading
            typed={state.q.trim()}
            search={search}
            understood={read.understood}
            result={result}
            action={area && renderAreaAction?.(area)}
          />
        }
      >
        <div ref={list}>
          <ResultList
            state={search}
            result={result}
            selected={selected}
            named={named}
            towns={<TownSuggestions towns={towns} />}
            onHighlight={({ id }) => highlight(id)}
            load_action={area && renderLoadAction?.(area)}
          />
        </div>
      </BottomSheet>
      <LocationSheet
        state={locate.sheet}
        is_busy={locate.is_busy}
        onShare={() => void locate.share()}
        onClose={locate.close}
      />
    </SearchFrame>
  );
}

/**
 * The screen, or beside a center a part of navigation. Always the same element: another one would begin the list and the
 * map again.
 */
function SearchFrame({ ref, children }: { ref: RefObject<HTMLDivElement | null>; children: ReactNode }) {
  const { t } = useTranslation('sport-centers');
  const layout = use(ListLayout);
  const part = layout === 'beside' ? { role: 'navigation', 'aria-label': t('title') } : null;
  return (
    <div ref={ref} {...part} className={classes('relative flex-1 overflow-clip', !layout && 'vt-screen')}>
      {!part && (
        <>
          <title>{`${t('title')} · Sendlap`}</title>
          <h1 className="sr-only">{t('title')}</h1>
        </>
      )}
      <div
        className={classes(
          'absolute inset-0 wide:grid wide:grid-rows-[auto_1fr]',
          part ? 'wide:grid-cols-1' : 'wide:grid-cols-[var(--list-width)_1fr]',
        )}
      >
        {children}
      </div>
    </div>
  );
}

/** A slow list delays the map by no more than this. */
const LONGEST_WAIT_MS = 1500;

/** Whether the map may start to load: it is far heavier than the list, which comes first. */
function useShouldLoadMap(has_list: boolean, is_hidden: boolean): boolean {
  const [shouldLoad, setShouldLoad] = useState(false);
  useEffect(() => {
    if (shouldLoad || is_hidden) return;
    // Wait until the list has been painted.
    const timer = setTimeout(() => setShouldLoad(true), has_list ? 0 : LONGEST_WAIT_MS);
    return () => clearTimeout(timer);
  }, [shouldLoad, has_list, is_hidden]);
  return shouldLoad;
}

/**
 * Keeps the URL in sync with the search, also that of the center beside the list, so that a reload and the back button
 * restore the same list.
 */
function useSearchUrl(address: string): void {
  const [path] = useLocation();
  useEffect(() => {
    const search = address === '' ? '' : `?${address}`;
    if (location.search !== search) history.replaceState(history.state, '', path + search);
  }, [address, path]);
}

/** Restores a search around the device after a reload, if the permission was granted before: shows no prompt. */
function useRestoreNearMe(locate: LocateController, is_located: boolean): void {
  const [wasNearMe] = useState(() => parseSearch(location.search).near_me && !is_located);
  const begin = useEffectEvent(async () => {
    if ((await readPermission()) === 'granted') await locate.begin();
  });
  useEffect(() => {
    if (wasNearMe) void begin();
  }, [wasNearMe]);
}
