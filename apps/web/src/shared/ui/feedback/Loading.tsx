import type { ReactNode } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';

/** Skeletons of the loading content, and its text for screen readers. */
export function Loading({ className, children }: { className?: string; children: ReactNode }) {
  const { t } = useTranslation('shell');
  return (
    <div role="status" aria-label={t('loading')} className={className}>
      {children}
    </div>
  );
}
