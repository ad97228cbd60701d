import { useSyncExternalStore } from 'react';

function subscribe(listener: () => void): () => void {
  const viewport = window.visualViewport;
  viewport?.addEventListener('resize', listener);
  viewport?.addEventListener('scroll', listener);
  return () => {
    viewport?.removeEventListener('resize', listener);
    viewport?.removeEventListener('scroll', listener);
  };
}

/** What an on-screen keyboard leaves of the window, px; null where the browser does not say, or somebody zoomed in. */
export function useVisibleArea(): { top: number; height: number } | null {
  const area = useSyncExternalStore(subscribe, readArea);
  if (area === '') return null;
  const [top = 0, height = 0] = area.split(' ').map(Number);
  return { top, height };
}

/** A text, for two of the same are equal. */
function readArea(): string {
  const viewport = window.visualViewport;
  if (!viewport || viewport.scale > 1.01) return '';
  return `${Math.round(viewport.offsetTop)} ${Math.round(viewport.height)}`;
}
