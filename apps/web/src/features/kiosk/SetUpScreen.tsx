import { useState } from 'react';
import { useLocation } from 'wouter';
import { setTheme, THEMES, useTheme } from '#web/shared/device/theme.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/Button.tsx';
import { Card } from '#web/shared/ui/Card.tsx';
import { Screen } from '#web/shared/ui/Screen.tsx';
import { Segmented } from '#web/shared/ui/Segmented.tsx';
import { KioskFigures } from './KioskFigures.tsx';
import { KioskLanguage } from './KioskLanguage.tsx';
import { kiosk } from './kiosk-client.ts';
import type { KioskState } from './kiosk-state.ts';
import { KIOSK_PATH } from './links.ts';

const EVERY = ['power', 'brightness', 'place', 'network'] as const;
const STEPS = ['home', 'sleep', 'light', 'lock', 'start'] as const;
const DEVICES = ['ipad', 'android'] as const;
type Device = (typeof DEVICES)[number];

/** How a tablet becomes a good kiosk, and how this one is. */
export function SetUpScreen({ state }: { state: KioskState }) {
  const { t } = useTranslation(['kiosk', 'shell']);
  const [, navigate] = useLocation();
  const theme = useTheme();
  const themes = THEMES.map((value) => ({ value, label: t(`shell:theme.${value}`) }));
  return (
    <Screen title={t('setUp.title')} onBack={() => navigate(KIOSK_PATH)}>
      <main className="mx-auto flex w-full max-w-[640px] flex-col gap-4">
        <Card as="section">
          <h2 className="mb-3 text-lg font-bold">{t('setUp.state')}</h2>
          <KioskFigures state={state} />
        </Card>
        <Card as="section" className="flex flex-col gap-4">
          <KioskLanguage />
          <Segmented label={t('shell:theme.label')} value={theme} options={themes} onChange={setTheme} />
        </Card>
        <TabletSettings />
        {state.kind === 'paired' && <Unpair />}
      </main>
    </Screen>
  );
}

function TabletSettings() {
  const { t } = useTranslation('kiosk');
  const [device, setDevice] = useState<Device>(() => (/android/i.test(navigator.userAgent) ? 'android' : 'ipad'));
  const options = DEVICES.map((value) => ({ value, label: t(`setUp.${value}`) }));
  return (
    <Card as="section">
      <h2 className="mb-3 text-lg font-bold">{t('setUp.tablet')}</h2>
      <ul className="mb-5 flex list-disc flex-col gap-2 pl-5 text-ink-soft">
        {EVERY.map((name) => (
          <li key={name}>{t(`setUp.every.${name}`)}</li>
        ))}
      </ul>
      <Segmented label={t('setUp.device')} value={device} options={options} onChange={setDevice} />
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
  const [asking, setAsking] = useState(false);
  const unpair = () => void kiosk.unpair().then(() => navigate(KIOSK_PATH));
  return (
    <Card as="section">
      <h2 className="text-lg font-bold">{t('setUp.unpair.title')}</h2>
      <p className="mt-1 mb-4 text-ink-soft">{t('setUp.unpair.text')}</p>
      {asking ? (
        <div role="alertdialog" aria-label={t('setUp.unpair.sure')} className="flex flex-col gap-2">
          <p className="font-semibold">{t('setUp.unpair.sure')}</p>
          <Button kind="danger" onClick={unpair}>
            {t('setUp.unpair.confirm')}
          </Button>
          <Button kind="quiet" onClick={() => setAsking(false)}>
            {t('shell:cancel')}
          </Button>
        </div>
      ) : (
        <Button kind="danger" onClick={() => setAsking(true)}>
          {t('setUp.unpair.ask')}
        </Button>
      )}
    </Card>
  );
}
