import { createContext } from 'react';

/**
 * Where a list is shown in a wide window: `beside` the screen that was chosen from it, or `alone`, with nothing chosen.
 * null: it is no such list, or the window is narrow.
 */
export const ListLayout = createContext<'alone' | 'beside' | null>(null);
