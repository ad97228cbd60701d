import { useLocation } from 'wouter';
import { readDepth } from './history-entry.ts';

/**
 * Returns a function that goes back to the screen before this one. If the app was opened on this screen (by a link, a
 * notification, a phone's camera), Back would leave the app: then it goes to `parent` instead.
 */
export function useGoBack(parent: string): () => void {
  const [, navigate] = useLocation();
  return () => {
    if (readDepth() > 0) history.back();
    else navigate(parent, { replace: true });
  };
}
