import type { ReactNode } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';

/** Skeletons of what is on its way, and the word for it. */
export function Loading({ className, children }: { className?: string; children: ReactNode }) {
  const { t } = useTranslation('shell');
  return (
    <div role="status" aria-label={t('loading')} className={className}>
      {children}
    </div>
  );
}
