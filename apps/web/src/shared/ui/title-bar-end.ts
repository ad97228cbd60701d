import { createContext, type ReactNode } from 'react';

/**
 * The end of every screen's title bar: the app puts the sync chip there. Screens without a title bar place it
 * themselves.
 */
export const TitleBarEnd = createContext<ReactNode>(null);
