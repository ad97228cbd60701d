import { toBase64Url } from '@sendlap/domain/bytes.ts';
import { type ComponentProps, type ReactNode, use } from 'react';
import { BoardPanel } from '#web/features/kiosk/BoardPanel.tsx';
import { CodeScreen } from '#web/features/kiosk/CodeScreen.tsx';
import { KioskLanguage } from '#web/features/kiosk/KioskLanguage.tsx';
import { KioskStart } from '#web/features/kiosk/KioskStart.tsx';
import { VenueCodePanel } from '#web/features/kiosk/VenueCodePanel.tsx';
import { type DayKey, importDayKeys } from '#web/features/kiosk/venue-code.ts';
import type { Examples } from '../example.ts';
import { before, DAY_MS, HALL, HOUR_MS, LONG_CENTER, LONG_NAME, NOW, RTL_NAME } from './data.ts';

const TIME_ZONE = 'Europe/Madrid';
const week_keys = importDayKeys([
  {
    key_id: '22222222-2222-4222-8222-222222222222',
    key: toBase64Url(new Uint8Array(32).fill(7)),
    valid_from: before(DAY_MS),
    valid_until: before(-7 * DAY_MS),
  },
]);

/** Draws once the keys are imported. */
function WithKeys({ children }: { children: (keys: DayKey[]) => ReactNode }) {
  return children(use(week_keys));
}

const centerOf = ({ id, name, city }: typeof HALL) => ({ id, name, city, time_zone: TIME_ZONE, sports: [] });
const pairing = (keys: DayKey[], place = HALL) => ({ token: '', center: centerOf(place), keys, keys_at_ms: NOW });

type Board = NonNullable<ComponentProps<typeof BoardPanel>['board']>;
const board = (items: Board['board']['items'], starts_on: string, ends_on: string, at_ms = NOW): Board => ({
  board: { key: '', starts_on, ends_on, total: items.length, items, now: before(0) },
  at_ms,
});
const today = before(0).slice(0, 10);
const ROWS = [LONG_NAME, RTL_NAME, null, null, 'Nora', 'Max'].map((name, nth) => ({
  rank: nth + 1,
  name,
  points: Math.round(12_480 / (nth + 1)),
}));
const FULL = board(ROWS, today, today);

export const KIOSK: Examples = {
  BoardPanel: [
    { state: 'not loaded', board: null },
    { state: 'empty', board: board([], today, today) },
    { state: 'default', board: FULL },
    { state: 'an hour old', board: { ...FULL, at_ms: NOW - HOUR_MS } },
    { state: 'of a past week', board: board(ROWS.slice(0, 1), '2026-11-16', '2026-11-22') },
  ].map(({ state, board: shown }) => ({
    state,
    render: () => <BoardPanel board={shown} time_zone={TIME_ZONE} now_ms={NOW} />,
  })),
  CodeScreen: [
    {
      state: 'default',
      wide: true,
      render: () => (
        <WithKeys>
          {(keys) => <CodeScreen state={{ kind: 'paired', pairing: pairing(keys), board: FULL, is_reached: true }} />}
        </WithKeys>
      ),
    },
    {
      state: 'unreached, long name',
      wide: true,
      render: () => (
        <WithKeys>
          {(keys) => (
            <CodeScreen
              state={{ kind: 'paired', pairing: pairing(keys, LONG_CENTER), board: null, is_reached: false }}
            />
          )}
        </WithKeys>
      ),
    },
  ],
  KioskLanguage: [{ state: 'default', render: () => <KioskLanguage /> }],
  KioskStart: [{ state: 'default', render: () => <KioskStart /> }],
  VenueCodePanel: [
    {
      state: 'default',
      render: () => <WithKeys>{(keys) => <VenueCodePanel pairing={pairing(keys)} now_ms={NOW} />}</WithKeys>,
    },
    { state: 'offline for too long', render: () => <VenueCodePanel pairing={pairing([])} now_ms={NOW} /> },
  ],
};
