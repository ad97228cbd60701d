import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { classes } from '../classes.ts';

/** Long enough that a slow answer does not make the note flash up. */
const LATE_MS = 5_000;

/** Skeletons of the loading content, and its text for screen readers; after a while a note that it still loads. */
export function Loading({ className, children }: { className?: string; children: ReactNode }) {
  const { t } = useTranslation('shell');
  const [is_late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" aria-label={t('loading')} className={classes('relative', className)}>
      {children}
      {is_late && (
        // Above the skeletons, so that nothing moves.
        <p className="pointer-events-none absolute inset-x-0 top-3 mx-auto w-fit rounded-lg bg-surface px-4 py-2 text-center text-sm text-ink-soft">
          {t('loadsLate')}
        </p>
      )}
    </div>
  );
}
