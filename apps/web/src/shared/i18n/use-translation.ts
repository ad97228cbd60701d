import { use, useSyncExternalStore } from 'react';
import type { Namespace } from './resources.ts';
import { getTranslator, hasTexts, subscribe, type Translate, waitForTexts } from './texts.ts';
import { useLanguage } from './use-language.ts';

type NamespaceList = readonly [Namespace, ...Namespace[]];
type Own<N extends Namespace | NamespaceList> = N extends NamespaceList ? N[0] : N;
type All<N extends Namespace | NamespaceList> = N extends NamespaceList ? N[number] : N;

/** The texts of one or several nouns; keys without a noun belong to the first. Suspends until the texts have loaded. */
export function useTranslation<const N extends Namespace | NamespaceList>(
  namespaces: N,
): { t: Translate<Own<N>, All<N>> } {
  const language = useLanguage();
  const list: NamespaceList = typeof namespaces === 'string' ? [namespaces] : namespaces;
  // At every render, with loaded texts too: React crashes if a component that waited does not ask again.
  use(waitForTexts(language, list));
  const translate = () => getTranslator<Own<N>, All<N>>(language, list[0] as Own<N>);
  return { t: useSyncExternalStore(subscribe, translate, translate) };
}

/** Like `useTranslation`, but null until the texts have loaded: for a screen that does not wait for them. */
export function useLoadedTranslation<N extends Namespace>(namespace: N): Translate<N> | null {
  const language = useLanguage();
  const is_loaded = useSyncExternalStore(subscribe, () => hasTexts(language, [namespace]));
  return is_loaded ? getTranslator(language, namespace) : null;
}
