import { type ComponentType, lazy } from 'react';
import { loadNamespaces } from '#web/shared/i18n/i18n.ts';
import type { Namespace } from '#web/shared/i18n/resources.ts';

/** A screen's code or texts failed to load. The next render loads them again, but only after `reset`. */
export class ChunkLoadError extends Error {
  readonly reset: () => void;

  constructor(reset: () => void, cause: unknown) {
    super('the code of a screen did not come', { cause });
    this.reset = reset;
  }
}

/** A screen whose code and texts are loaded when it is shown, or earlier with `preload`. */
export interface Page<Props = object> {
  /**
   * Returns the component to render: the loaded one if available, so that a preloaded screen shows without a skeleton.
   */
  component(): ComponentType<Props>;
  preload(): Promise<unknown>;
}

/** A screen in its own chunk, loaded with its i18n namespaces. */
export function lazyPage<Props = object>(
  load: () => Promise<ComponentType<Props>>,
  namespaces: Namespace[] = [],
): Page<Props> {
  let loaded: ComponentType<Props> | null = null;
  let loading: Promise<{ default: ComponentType<Props> }> | null = null;
  const fetchOnce = () => {
    if (loading) return loading;
    const attempt = Promise.all([load(), loadNamespaces(namespaces)]).then(
      ([component]) => {
        loaded = component;
        return { default: component };
      },
      (cause: unknown) => {
        // A failed preload must not fail the later visit.
        if (loading === attempt) loading = null;
        throw new ChunkLoadError(reset, cause);
      },
    );
    loading = attempt;
    return attempt;
  };
  let deferred = lazy(fetchOnce);
  const reset = () => {
    // A preload that began without a network may still fail after it is back.
    loading = null;
    deferred = lazy(fetchOnce);
  };
  return {
    component: () => loaded ?? (deferred as unknown as ComponentType<Props>),
    preload: () => fetchOnce().catch(() => {}),
  };
}

/** A screen in the entry chunk. */
export function eagerPage(component: ComponentType): Page {
  return { component: () => component, preload: () => Promise.resolve() };
}
