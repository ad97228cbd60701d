import { type ComponentType, type ReactNode, Suspense, useEffect, useState } from 'react';
import { waitForRetryOpportunity } from '#web/shared/device/wait-for-retry-opportunity.ts';
import { loadNamespaces } from '#web/shared/i18n/i18n.ts';
import type { Namespace } from '#web/shared/i18n/resources.ts';
import { loadWithRetry } from './load-with-retry.ts';

export interface RetryProps {
  /** A retry is running. */
  busy: boolean;
  /** A retry has failed too, so the problem is not temporary. */
  has_failed_again: boolean;
  onRetry: () => void;
}

interface LazyPartOptions<Props> {
  /** Shown until the code has loaded; by default nothing. */
  loading?: ReactNode;
  /** Shown after loading failed, with an immediate retry; by default nothing. */
  Failed?: ComponentType<Props & RetryProps>;
}

/**
 * Lazy-loads a component that no screen waits for, as a separate chunk with its namespaces. If its code fails to load
 * the screen stays unchanged, and loading is retried.
 */
export function lazyPart<Props extends object = object>(
  load: () => Promise<ComponentType<Props>>,
  namespaces: Namespace[] = [],
  { loading = null, Failed }: LazyPartOptions<Props> = {},
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  const fetchCode = async () => {
    const [part] = await Promise.all([load(), loadNamespaces(namespaces)]);
    loaded = part;
    return part;
  };
  return function LazyPart(props: Props) {
    const [Part, setPart] = useState(() => loaded);
    const [attempt, setAttempt] = useState(0);
    const [failed_attempt, setFailedAttempt] = useState<number | null>(null);
    const is_missing = Part === null;
    useEffect(() => {
      if (!is_missing) return;
      const unmounted = new AbortController();
      const wait = (delay_ms: number, signal: AbortSignal) => {
        setFailedAttempt(attempt);
        return waitForRetryOpportunity(delay_ms, signal);
      };
      void loadWithRetry({ load: fetchCode, wait }, unmounted.signal).then((part) => setPart(() => part));
      return () => unmounted.abort();
    }, [is_missing, attempt]);
    if (!Part && failed_attempt === null) return loading;
    if (!Part) {
      // It stays mounted during a retry, because it has the focus.
      const busy = failed_attempt !== attempt;
      return (
        Failed && (
          <Failed {...props} busy={busy} has_failed_again={attempt > 0} onRetry={() => setAttempt(attempt + 1)} />
        )
      );
    }
    return (
      <Suspense fallback={loading}>
        <Part {...props} />
      </Suspense>
    );
  };
}
