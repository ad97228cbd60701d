import { useSyncExternalStore } from 'react';
import { createListeners } from '#web/shared/lib/store.ts';
import { deviceStorage } from './device-storage.ts';

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** boot.js reads the same key before the first paint. */
const KEY = 'theme';
/** The page colour of styles.css, for the browser's toolbar. */
const BAR_COLORS = { light: '#f8f6f3', dark: '#171513' };

const { subscribe, notify } = createListeners();

function currentTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : 'auto';
}

/** Applies a theme and remembers it on this device; `auto` follows the system. */
export function setTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  updateToolbarColor(theme);
  if (theme === 'auto') deviceStorage.removeItem(KEY);
  else deviceStorage.setItem(KEY, theme);
  notify();
}

/** The toolbar follows the system by its media queries unless the user chose a theme. */
export function updateToolbarColor(theme: Theme = currentTheme()): void {
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    meta.content = BAR_COLORS[theme === 'auto' ? (meta.media.includes('dark') ? 'dark' : 'light') : theme];
  }
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, currentTheme);
}
