import { useLocation } from 'wouter';
import { HOME_PATH } from './links.ts';

/** Returns a function that goes back, or home if the app was opened on this screen (by a phone's camera app). */
export function useGoBack(): () => void {
  const [, navigate] = useLocation();
  return () => {
    if (history.length > 1) history.back();
    else navigate(HOME_PATH);
  };
}
