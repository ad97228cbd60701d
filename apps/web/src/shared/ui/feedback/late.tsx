import { type ComponentType, type ReactNode, Suspense, useEffect, useState } from 'react';
import { waitForHope } from '#web/shared/device/wait-for-hope.ts';
import { loadNamespaces } from '#web/shared/i18n/i18n.ts';
import type { Namespace } from '#web/shared/i18n/resources.ts';
import { loadUntilHere } from './until-here.ts';

export interface Retry {
  /** A retry is running. */
  busy: boolean;
  /** A retry has failed too, so the problem is not temporary. */
  is_lasting: boolean;
  onRetry: () => void;
}

interface Meanwhile<Props> {
  /** Shown until the code has loaded; by default nothing. */
  loading?: ReactNode;
  /** Shown after loading failed, with an immediate retry; by default nothing. */
  Failed?: ComponentType<Props & Retry>;
}

/**
 * Lazy-loads a component that no screen waits for, as a separate chunk with its namespaces. If its code fails to load
 * the screen stays unchanged, and loading is retried.
 */
export function late<Props extends object = object>(
  load: () => Promise<ComponentType<Props>>,
  namespaces: Namespace[] = [],
  { loading = null, Failed }: Meanwhile<Props> = {},
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  const fetchCode = async () => {
    const [piece] = await Promise.all([load(), loadNamespaces(namespaces)]);
    loaded = piece;
    return piece;
  };
  return function LatePiece(props: Props) {
    const [Piece, setPiece] = useState(() => loaded);
    const [attempt, setAttempt] = useState(0);
    const [failed_attempt, setFailedAttempt] = useState<number | null>(null);
    const is_missing = Piece === null;
    useEffect(() => {
      if (!is_missing) return;
      const gone = new AbortController();
      const wait = (delay_ms: number, signal: AbortSignal) => {
        setFailedAttempt(attempt);
        return waitForHope(delay_ms, signal);
      };
      void loadUntilHere({ load: fetchCode, wait }, gone.signal).then((piece) => setPiece(() => piece));
      return () => gone.abort();
    }, [is_missing, attempt]);
    if (!Piece && failed_attempt === null) return loading;
    if (!Piece) {
      // It stays mounted during a retry, because it has the focus.
      const busy = failed_attempt !== attempt;
      return (
        Failed && <Failed {...props} busy={busy} is_lasting={attempt > 0} onRetry={() => setAttempt(attempt + 1)} />
      );
    }
    return (
      <Suspense fallback={loading}>
        <Piece {...props} />
      </Suspense>
    );
  };
}
