import { PATHS } from '#web/shared/paths.ts';
import './kiosk.css';
import { Link } from 'wouter';
import { useOnline } from '#web/shared/device/online.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useServerSeconds } from '#web/shared/time/use-now.ts';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { BoardPanel } from './BoardPanel.tsx';
import { formatZonedDay, formatZonedTime } from './format-times.ts';
import type { Paired } from './kiosk-state.ts';
import { VenueCodePanel } from './VenueCodePanel.tsx';
import { codesValidUntil } from './venue-code.ts';

/** The screen that everyone at the center sees: the center's name, the time, the code and the board of the week. */
export function CodeScreen({ state }: { state: Paired }) {
  const { t } = useTranslation('kiosk');
  const locale = useLocale();
  const now = useServerSeconds();
  const { pairing, board } = state;
  const { center, keys } = pairing;
  const online = useOnline();
  const until_ms = codesValidUntil(keys);
  return (
    <main className="kiosk px-safe">
      <header className="kiosk-head">
        <div className="min-w-0">
          <h1 className="wrap-break-word text-[min(clamp(1.375rem,3.2vw,2.25rem),9.5vw)] leading-tight font-extrabold tracking-tight">
            {center.name}
          </h1>
          {center.city && <p className="wrap-break-word text-ink-soft">{center.city}</p>}
        </div>
        <div className="kiosk-time">
          <p className="figures whitespace-nowrap text-[clamp(1.75rem,min(5vw,8vh),3.5rem)] leading-none font-extrabold">
            {formatZonedTime(now, center.time_zone, locale)}
          </p>
          <p className="mt-1 text-label text-ink-soft first-letter:uppercase">
            {formatZonedDay(now, center.time_zone, locale)}
          </p>
        </div>
        <Link
          href={PATHS.kioskSetUp}
          aria-label={t('setUp.open')}
          title={t('setUp.open')}
          className="pressable -mr-2 grid size-12 place-items-center rounded-full text-ink-faint"
        >
          <Icon name="device" />
        </Link>
      </header>
      <VenueCodePanel pairing={pairing} now_ms={now} />
      <section className="kiosk-board flex min-w-0 flex-col gap-3">
        <BoardPanel board={board} time_zone={center.time_zone} now_ms={now} />
        {/* Says that the network or the server is unreachable, and until when the kiosk works without it. */}
        <p role="status" className="text-body font-semibold">
          {(!online || !state.is_reached) && until_ms !== null && now < until_ms && (
            <span className="flex items-center gap-3 rounded-lg bg-sunken px-4 py-3">
              <Icon name="offline" size={22} className="shrink-0" />
              {t('offline', { until: formatZonedDay(until_ms - 1, center.time_zone, locale) })}
            </span>
          )}
        </p>
      </section>
    </main>
  );
}
