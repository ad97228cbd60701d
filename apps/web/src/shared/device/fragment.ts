import { useLocationProperty } from 'wouter/use-browser-location';

/** Returns the address's fragment without '#'. An address that differs only in it loads no page when it is pasted. */
export function useFragment(): string {
  return useLocationProperty(() => location.hash.slice(1));
}
