import { serverClock } from '#web/shared/api/client.ts';
import type { ClockReading } from '#web/shared/api/server-clock.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useSeconds } from '#web/shared/ui/use-seconds.ts';
import { formatDay, formatMoment, formatSpan } from './format-times.ts';
import type { KioskState } from './kiosk-state.ts';
import { codesUntil } from './venue-code.ts';

/** A clock that is off by less is right, for a code and its two neighbours count. */
const RIGHT_WITHIN_MS = 2000;

/** What the operator wants to know of a tablet without asking the server. */
export function KioskFigures({ state }: { state: KioskState }) {
  const { t } = useTranslation('kiosk');
  const locale = useLocale();
  const now = useSeconds();
  const clock = useClockText(serverClock.clockReading());
  // A worker that answers for the server has stored the app.
  const opens_offline = navigator.serviceWorker?.controller != null;
  const rows: [string, string][] = [
    [t('setUp.clock'), clock],
    [t('setUp.opens'), t(opens_offline ? 'setUp.opensYes' : 'setUp.opensNo')],
  ];
  if (state.kind === 'paired') {
    const { center, keys } = state.pairing;
    const until_ms = codesUntil(keys);
    const contact_ms = state.board?.at_ms;
    rows.unshift([t('setUp.center'), center.name]);
    if (until_ms !== null) rows.push([t('setUp.codesUntil'), formatDay(until_ms - 1, center.time_zone, locale)]);
    const contact =
      contact_ms === undefined ? t('setUp.never') : formatMoment(contact_ms, now, center.time_zone, locale);
    rows.push([t('setUp.lastBoard'), contact]);
  } else rows.unshift([t('setUp.center'), t('setUp.notPaired')]);
  return (
    <dl className="flex flex-col gap-2">
      {rows.map(([name, value]) => (
        <div key={name} className="flex flex-wrap justify-between gap-x-4">
          <dt className="text-ink-soft">{name}</dt>
          <dd className="font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function useClockText({ offset_ms, age_ms }: ClockReading): string {
  const { t } = useTranslation('kiosk');
  const locale = useLocale();
  if (age_ms === null) return t('setUp.clockUnknown');
  if (Math.abs(offset_ms) < RIGHT_WITHIN_MS) return t('setUp.clockRight');
  // The offset is the server's time minus the tablet's: what is to be added to a clock that is behind.
  const difference = formatSpan(Math.abs(offset_ms), locale);
  return t(offset_ms < 0 ? 'setUp.clockAhead' : 'setUp.clockBehind', { difference });
}
