import { type RefObject, useEffect, useRef } from 'react';

/**
 * Shows the section of a form again once the form is gone: the page is shorter then, and the window would stand at a
 * section further down. The returned ref is the form's.
 */
export function useReturnToSection(): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const section = form.current?.closest('section');
    // Without effect if the whole page is gone.
    return () => section?.scrollIntoView({ block: 'nearest' });
  }, []);
  return form;
}
