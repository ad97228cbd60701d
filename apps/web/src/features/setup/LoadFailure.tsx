import { useTranslation } from '#web/shared/i18n/use-translation.ts';

/** Why a load failed, in the server's English words: announced as such in another language. */
export function LoadFailure({ failure }: { failure: string | null }) {
  const { t } = useTranslation('setup');
  if (failure === null) return null;
  return (
    <p className="text-sm text-ink-faint wrap-anywhere">
      {t('failure')} <span lang="en">{failure}</span>
    </p>
  );
}
