import { useLocation } from 'wouter';
import { HOME_PATH } from './links.ts';

/** One step back, or home where the app was opened on this very screen (by a phone's camera). */
export function useGoBack(): () => void {
  const [, navigate] = useLocation();
  return () => {
    if (history.length > 1) history.back();
    else navigate(HOME_PATH);
  };
}
