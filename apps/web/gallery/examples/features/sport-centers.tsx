import type { FoundSportCenter } from '@sendlap/contract/sport-centers.ts';
import { POOL } from '#test/models/pool.ts';
import { center } from '#test/unit/fake-center.ts';
import { CenterContact } from '#web/features/sport-centers/center/CenterContact.tsx';
import { CenterFacts } from '#web/features/sport-centers/center/CenterFacts.tsx';
import { OpeningLine } from '#web/features/sport-centers/center/OpeningLine.tsx';
import { SelectChip } from '#web/features/sport-centers/filters/SelectChip.tsx';
import { BottomSheet } from '#web/features/sport-centers/list/BottomSheet.tsx';
import { CenterRow } from '#web/features/sport-centers/list/CenterRow.tsx';
import { NearestNote } from '#web/features/sport-centers/list/NearestNote.tsx';
import type { Snap } from '#web/features/sport-centers/list/sheet-heights.ts';
import { MapAttribution } from '#web/features/sport-centers/map/MapAttribution.tsx';
import { MapBoundary } from '#web/features/sport-centers/map/MapBoundary.tsx';
import { LocationProblem, LocationReason } from '#web/features/sport-centers/search/LocationReason.tsx';
import { LocationSheet } from '#web/features/sport-centers/search/LocationSheet.tsx';
import { TownSuggestions } from '#web/features/sport-centers/search/TownSuggestions.tsx';
import type { Example, Examples } from '../example.ts';
import { WEEK } from './center-management.tsx';
import { before, DAY_MS, dateBefore, HALL, LONG_CENTER } from './data.ts';
import { ignore, ToChange, ToOpen } from './interaction.tsx';

const BARE = center(4, { name: 'Frontón', city: null, country: null });
const NEAR = center(5, { name: 'Piscina de verano', city: '', place_names: ['Miraflores de la Sierra'] });
const found = (place: typeof HALL, distance_km: number | null): FoundSportCenter => ({ ...place, distance_km });

const ALWAYS = WEEK.map(() => [{ opens: '00:00', closes: '00:00' }]);
const CLOSED = { from: dateBefore(DAY_MS), until: dateBefore(-9 * DAY_MS), reason: 'Vaciado anual del vaso grande' };
const HOURS = {
  'open day and night': { weekly: ALWAYS, closed_days: [] },
  'by its week': { weekly: WEEK, closed_days: [] },
  'closed for a reason': { weekly: ALWAYS, closed_days: [CLOSED] },
  'closed for good': { weekly: WEEK.map(() => []), closed_days: [] },
};

const FAILURES = ['denied', 'unavailable', 'timeout', 'blocked'] as const;
const KINDS = ['ios', 'android', 'desktop'] as const;
const SNAPS: Snap[] = ['low', 'half', 'full', 'cover'];

const OPTIONS = ['España', 'Bosnia y Herzegovina', 'San Vicente y las Granadinas'].map((name) => ({
  value: name,
  name,
}));
const chip = (state: string, value: string): Example => ({
  state,
  render: ({ label, cancel }) => (
    <ToChange first={value}>
      {(chosen, onPick) => (
        <SelectChip label={label} any_label={cancel} value={chosen} options={OPTIONS} onPick={onPick} />
      )}
    </ToChange>
  ),
});

const TOWN = { latitude: 40.4, longitude: -3.7, radius_km: 20, population: 3_300_000, name_es: null };
const TOWNS = [
  { ...TOWN, id: 'geonames:1', name: 'Madrid', country: 'ES' },
  { ...TOWN, id: 'geonames:2', name: 'London', name_es: 'Londres', country: 'GB' },
  { ...TOWN, id: 'geonames:3', name: 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch', country: 'GB' },
];
const STREETS = '© OpenStreetMap contributors · © Instituto Geográfico Nacional de España';

/** A map without WebGL. */
function MissingMap(): never {
  throw new Error('no WebGL');
}

export const SPORT_CENTERS: Examples = {
  'center/CenterContact': [
    { state: 'default', place: HALL },
    { state: 'long texts', place: LONG_CENTER },
    { state: 'only the town near it', place: NEAR },
    { state: 'nothing known', place: BARE },
  ].map(({ state, place }) => ({ state, render: () => <CenterContact center={place} /> })),
  'center/CenterFacts': [
    { state: 'default', place: HALL },
    {
      state: 'everything known',
      place: {
        ...LONG_CENTER,
        is_private: true,
        other_names: ['La Peineta', 'Estadio de la Comunidad de Madrid', 'ملعب مدريد'],
        pool_lengths_m: [16.67, 25, 50],
        opening_hours: HOURS['by its week'],
      },
    },
    { state: 'closed', place: { ...POOL, closed_at: before(40 * DAY_MS) } },
  ].map(({ state, place }) => ({ state, render: () => <CenterFacts center={place} /> })),
  'center/OpeningLine': Object.entries(HOURS).map(([state, hours]) => ({
    state,
    render: () => <OpeningLine hours={hours} time_zone="Europe/Madrid" />,
  })),
  'filters/SelectChip': [
    chip('any', ''),
    chip('chosen', 'España'),
    chip('chosen, long', 'San Vicente y las Granadinas'),
  ],
  'list/BottomSheet': SNAPS.map((first) => ({
    state: first,
    render: ({ title, text, cancel }) => (
      <div className="relative h-120 overflow-hidden bg-sunken">
        <ToChange first={first}>
          {(snap, onSnap) => (
            <BottomSheet
              snap={snap}
              onSnap={onSnap}
              room={{ whole: 480, search: 64, rem: 16, is_wide: false }}
              handle_label={cancel}
              header={<h2 className="px-5 pb-2 text-lg font-bold">{title}</h2>}
            >
              <p className="px-5">{text}</p>
            </BottomSheet>
          )}
        </ToChange>
      </div>
    ),
  })),
  'list/CenterRow': [
    { state: 'default', place: found(HALL, 0.35) },
    { state: 'two sports, long texts', place: found(LONG_CENTER, 1_234.5) },
    { state: 'only the town near it', place: found(NEAR, null) },
    { state: 'nothing known', place: found(BARE, 12) },
  ]
    .map(({ state, place }): Example => ({ state, render: () => <CenterRow center={place} /> }))
    .concat({ state: 'chosen on the map', render: () => <CenterRow center={found(HALL, 2)} is_selected /> }),
  'list/NearestNote': [
    { state: 'default', place: found(HALL, 120), total: 12_345 },
    { state: 'place not known', place: found(BARE, 1_234), total: 1 },
  ].map(({ state, place, total }) => ({ state, render: () => <NearestNote center={place} total={total} /> })),
  'map/MapAttribution': [
    { state: 'without streets', render: () => <MapAttribution streets={null} /> },
    {
      state: 'several authors',
      render: () => (
        <MapAttribution
          streets={{
            attribution: STREETS,
            bounds: { west: -18, south: 27, east: 4, north: 44 },
            min_zoom: 0,
            max_zoom: 14,
          }}
        />
      ),
    },
  ],
  'map/MapBoundary': [
    { state: 'drawn', render: ({ problem, text }) => <MapBoundary message={problem}>{text}</MapBoundary> },
    {
      state: 'failed',
      render: ({ problem }) => (
        <div className="h-40">
          <MapBoundary message={problem}>
            <MissingMap />
          </MapBoundary>
        </div>
      ),
    },
  ],
  'search/LocationReason': [
    { state: 'the reason', render: () => <LocationReason /> },
    ...FAILURES.flatMap((failure) =>
      (failure === 'denied' ? KINDS : (['desktop'] as const)).map(
        (kind): Example => ({
          state: `${failure}, ${kind}`,
          render: () => <LocationProblem failure={failure} kind={kind} />,
        }),
      ),
    ),
  ],
  'search/LocationSheet': (['ask', ...FAILURES] as const).map((prompt) => ({
    state: prompt,
    render: () => (
      <ToOpen>{(close) => <LocationSheet state={prompt} is_busy={false} onShare={ignore} onClose={close} />}</ToOpen>
    ),
  })),
  'search/TownSuggestions': [
    {
      state: 'default',
      render: () => (
        <TownSuggestions
          towns={{
            list_id: 'towns',
            suggestions: TOWNS,
            active: TOWNS[1] ?? null,
            optionId: ({ id }) => id,
            pick: ignore,
            onKeyDown: ignore,
          }}
        />
      ),
    },
  ],
};
