import { use, useSyncExternalStore } from 'react';
import type { Namespace } from './resources.ts';
import { hasTexts, pendingTexts, subscribe, type Translate, translatorOf } from './texts.ts';
import { useLanguage } from './use-language.ts';

type List = readonly [Namespace, ...Namespace[]];
type Own<N extends Namespace | List> = N extends List ? N[0] : N;
type All<N extends Namespace | List> = N extends List ? N[number] : N;

/** The texts of one or several nouns; keys without a noun belong to the first. Suspends until the texts have loaded. */
export function useTranslation<const N extends Namespace | List>(nouns: N): { t: Translate<Own<N>, All<N>> } {
  const language = useLanguage();
  const list: List = typeof nouns === 'string' ? [nouns] : nouns;
  const pending = pendingTexts(language, list);
  if (pending !== null) use(pending);
  const translate = () => translatorOf<Own<N>, All<N>>(language, list[0] as Own<N>);
  return { t: useSyncExternalStore(subscribe, translate, translate) };
}

/** Like `useTranslation`, but null until the texts have loaded: for a screen that does not wait for them. */
export function useLoadedTranslation<N extends Namespace>(noun: N): Translate<N> | null {
  const language = useLanguage();
  const is_here = useSyncExternalStore(subscribe, () => hasTexts(language, [noun]));
  return is_here ? translatorOf(language, noun) : null;
}
