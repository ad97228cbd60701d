import { useState } from 'react';
import { changeLanguage } from '#web/shared/i18n/i18n.ts';
import type { Language } from '#web/shared/i18n/language.ts';
import { SegmentedControl } from '#web/shared/ui/controls/SegmentedControl.tsx';

const THEMES = ['auto', 'light', 'dark'] as const;
const LANGUAGES = [
  { value: 'en', label: 'English' },
  { value: 'es', label: 'Español' },
] as const;
const NETWORKS = [
  { value: 'online', label: 'Online' },
  { value: 'offline', label: 'Offline' },
] as const;

/** Switches the page between the looks that each component must have. The theme is not kept on this device. */
export function GallerySwitches({ language }: { language: Language }) {
  const [theme, setTheme] = useState<(typeof THEMES)[number]>('auto');
  const [network, setNetwork] = useState<(typeof NETWORKS)[number]['value']>('online');
  return (
    <div className="flex flex-wrap gap-2">
      <SegmentedControl
        label="Theme"
        className="grow"
        value={theme}
        options={THEMES.map((value) => ({ value, label: value }))}
        onChange={(next) => {
          document.documentElement.dataset.theme = next;
          setTheme(next);
        }}
      />
      <SegmentedControl
        label="Language"
        className="grow"
        value={language}
        options={LANGUAGES}
        onChange={(next) => void changeLanguage(next)}
      />
      <SegmentedControl
        label="Network"
        className="grow"
        value={network}
        options={NETWORKS}
        onChange={(next) => {
          pretendNetwork(next === 'online');
          setNetwork(next);
        }}
      />
    </div>
  );
}

/** Components read the network by `navigator.onLine`. */
function pretendNetwork(online: boolean): void {
  Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => online });
  dispatchEvent(new Event(online ? 'online' : 'offline'));
}
