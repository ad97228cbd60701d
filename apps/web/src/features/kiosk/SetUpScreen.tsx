import { useState } from 'react';
import { useLocation } from 'wouter';
import { serverClock } from '#web/shared/api/client.ts';
import { setTheme, THEMES, useTheme } from '#web/shared/device/theme.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { formatSpan } from '#web/shared/time/format-span.ts';
import { useServerSeconds } from '#web/shared/time/use-now.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { SegmentedControl } from '#web/shared/ui/controls/SegmentedControl.tsx';
import { Screen } from '#web/shared/ui/Screen.tsx';
import { formatZonedDay, formatZonedMoment } from './format-times.ts';
import { KioskLanguage } from './KioskLanguage.tsx';
import { kiosk } from './kiosk-client.ts';
import type { KioskState } from './kiosk-state.ts';
import { codesValidUntil } from './venue-code.ts';

const COMMON_SETTINGS = ['power', 'brightness', 'place', 'network'] as const;
const STEPS = ['home', 'sleep', 'light', 'lock', 'start'] as const;
const DEVICES = ['ipad', 'android'] as const;
/** A smaller clock error needs no warning: a code is accepted together with its two neighbours. */
const MAX_CLOCK_ERROR_MS = 2000;
type Device = (typeof DEVICES)[number];

/** How to set up a tablet as a good kiosk, and the state of this one. */
export function SetUpScreen({ state }: { state: KioskState }) {
  const { t } = useTranslation(['kiosk', 'shell']);
  const [, navigate] = useLocation();
  const theme = useTheme();
  const themes = THEMES.map((value) => ({ value, label: t(`shell:theme.${value}`) }));
  return (
    <Screen title={t('setUp.title')} onBack={() => navigate(PATHS.kiosk)}>
      <main className="mx-auto flex w-full max-w-[640px] flex-col gap-4">
        <Card as="section">
          <h2 className="mb-3 text-lg font-bold">{t('setUp.state')}</h2>
          <KioskStatus state={state} />
        </Card>
        <Card as="section" className="flex flex-col gap-4">
          <KioskLanguage />
          <SegmentedControl label={t('shell:theme.label')} value={theme} options={themes} onChange={setTheme} />
        </Card>
        <TabletSettings />
        {state.kind === 'paired' && <Unpair />}
      </main>
    </Screen>
  );
}

/** The figures that an operator needs about a tablet, without asking the server. */
function KioskStatus({ state }: { state: KioskState }) {
  const { t } = useTranslation('kiosk');
  const locale = useLocale();
  const now = useServerSeconds();
  const clock = useClockText();
  // An active service worker has stored the app.
  const opens_offline = navigator.serviceWorker?.controller != null;
  const rows: [string, string][] = [
    [t('setUp.clock'), clock],
    [t('setUp.opens'), t(opens_offline ? 'setUp.opensYes' : 'setUp.opensNo')],
  ];
  if (state.kind === 'paired') {
    const { center, keys } = state.pairing;
    const until_ms = codesValidUntil(keys);
    const contact_ms = state.board?.at_ms;
    rows.unshift([t('setUp.center'), center.name]);
    if (until_ms !== null) rows.push([t('setUp.codesUntil'), formatZonedDay(until_ms - 1, center.time_zone, locale)]);
    const contact =
      contact_ms === undefined ? t('setUp.never') : formatZonedMoment(contact_ms, now, center.time_zone, locale);
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

function useClockText(): string {
  const { offset_ms, age_ms } = serverClock.clockReading();
  const { t } = useTranslation('kiosk');
  const locale = useLocale();
  if (age_ms === null) return t('setUp.clockUnknown');
  if (Math.abs(offset_ms) < MAX_CLOCK_ERROR_MS) return t('setUp.clockRight');
  // The offset is server time minus tablet time, so it is positive if the tablet's clock is behind.
  const difference = formatSpan(Math.abs(offset_ms), locale);
  return t(offset_ms < 0 ? 'setUp.clockAhead' : 'setUp.clockBehind', { difference });
}

function TabletSettings() {
  const { t } = useTranslation('kiosk');
  const [device, setDevice] = useState<Device>(() => (/android/i.test(navigator.userAgent) ? 'android' : 'ipad'));
  const options = DEVICES.map((value) => ({ value, label: t(`setUp.${value}`) }));
  return (
    <Card as="section">
      <h2 className="mb-3 text-lg font-bold">{t('setUp.tablet')}</h2>
      <ul className="mb-5 flex list-disc flex-col gap-2 pl-5 text-ink-soft">
        {COMMON_SETTINGS.map((name) => (
          <li key={name}>{t(`setUp.every.${name}`)}</li>
        ))}
      </ul>
      <SegmentedControl label={t('setUp.device')} value={device} options={options} onChange={setDevice} />
      <ol className="mt-4 flex list-decimal flex-col gap-2 pl-5 text-ink-soft">
        {STEPS.map((name) => (
          <li key={name}>{t(`setUp.steps.${device}.${name}`)}</li>
        ))}
      </ol>
    </Card>
  );
}

function Unpair() {
  const { t } = useTranslation(['kiosk', 'shell']);
  const [, navigate] = useLocation();
  const [is_confirming, setConfirming] = useState(false);
  const unpair = () => void kiosk.unpair().then(() => navigate(PATHS.kiosk));
  return (
    <Card as="section">
      <h2 className="text-lg font-bold">{t('setUp.unpair.title')}</h2>
      <p className="mt-1 mb-4 text-ink-soft">{t('setUp.unpair.text')}</p>
      {is_confirming ? (
        <div role="alertdialog" aria-label={t('setUp.unpair.sure')} className="flex flex-col gap-2">
          <p className="font-semibold">{t('setUp.unpair.sure')}</p>
          <Button kind="danger" onClick={unpair}>
            {t('setUp.unpair.confirm')}
          </Button>
          <Button kind="quiet" onClick={() => setConfirming(false)}>
            {t('shell:cancel')}
          </Button>
        </div>
      ) : (
        <Button kind="danger" onClick={() => setConfirming(true)}>
          {t('setUp.unpair.ask')}
        </Button>
      )}
    </Card>
  );
}
