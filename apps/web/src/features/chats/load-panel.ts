/** Loads the code of the open panel. */
export const loadPanel = () => import('./ChatPanel.tsx').then(({ ChatPanel }) => ChatPanel);

/** Prefetches the code; a failure is reported when the button is pressed. */
export const preloadPanel = () => void loadPanel().catch(() => {});
