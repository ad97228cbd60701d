import { createContext, type ReactNode } from 'react';

/** What stands at the end of every screen's title bar: the app puts the sync chip there. */
export const TitleBarEnd = createContext<ReactNode>(null);
