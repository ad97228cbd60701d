import { useEffect, useEffectEvent } from 'react';

/**
 * Hands over the code with which a phone's own camera opened this page, and takes it out of the address bar, so that
 * it is neither bookmarked nor read again. A second scan by the phone's camera may come into the open page.
 */
export function useScannedFragment(onText: (text: string) => void): void {
  const found = useEffectEvent(onText);
  useEffect(() => {
    const take = () => {
      const payload = location.hash.slice(1);
      if (payload === '') return;
      history.replaceState(history.state, '', location.pathname + location.search);
      found(payload);
    };
    take();
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, []);
}
