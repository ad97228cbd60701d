import { type ComponentType, lazy } from 'react';
import { loadNamespaces } from '#web/shared/i18n/i18n.ts';
import type { Namespace } from '#web/shared/i18n/resources.ts';

/** The code of a screen did not come. After `forget` it is asked for again when it is rendered anew, and not before. */
export class CodeMissingError extends Error {
  readonly forget: () => void;

  constructor(forget: () => void, cause: unknown) {
    super('the code of a screen did not come', { cause });
    this.forget = forget;
  }
}

/** A screen whose code and words are fetched when it is shown, or before: `preload`. */
export interface Page<Props = object> {
  /** What to render: the screen itself once it is here, so that a preloaded one shows without a skeleton. */
  component(): ComponentType<Props>;
  preload(): Promise<unknown>;
}

/** A screen in a chunk of its own, with the namespaces that it speaks. */
export function page<Props = object>(
  load: () => Promise<ComponentType<Props>>,
  namespaces: Namespace[] = [],
): Page<Props> {
  let loaded: ComponentType<Props> | null = null;
  let loading: Promise<{ default: ComponentType<Props> }> | null = null;
  const fetchOnce = () => {
    loading ??= Promise.all([load(), loadNamespaces(namespaces)]).then(
      ([component]) => {
        loaded = component;
        return { default: component };
      },
      (cause: unknown) => {
        loading = null; // A preload without network must not spoil the visit that comes later.
        throw new CodeMissingError(forget, cause);
      },
    );
    return loading;
  };
  let deferred = lazy(fetchOnce);
  const forget = () => {
    deferred = lazy(fetchOnce);
  };
  return {
    component: () => loaded ?? (deferred as unknown as ComponentType<Props>),
    preload: () => fetchOnce().catch(() => {}),
  };
}

/** A screen that is part of the first script. */
export function readyPage(component: ComponentType): Page {
  return { component: () => component, preload: () => Promise.resolve() };
}
