/** Loads the code of the open panel. */
export const loadPanel = () => import('./ChatPanel.tsx').then(({ ChatPanel }) => ChatPanel);

/** Loads it ahead of a press; a failure is told at the press. */
export const preloadPanel = () => void loadPanel().catch(() => {});
