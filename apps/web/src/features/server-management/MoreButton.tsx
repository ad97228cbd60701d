import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { NetworkButton } from '#web/shared/ui/controls/NetworkButton.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';

interface MoreButtonProps {
  query: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    error: Error | null;
    fetchNextPage: () => unknown;
  };
}

/** Loads the next page of a list; nothing on the last one. */
export function MoreButton({ query }: MoreButtonProps) {
  const { t } = useTranslation('server-management');
  const errorText = useErrorText();
  if (!query.hasNextPage) return null;
  return (
    <>
      {query.isFetchNextPageError && <Problem>{errorText(query.error)}</Problem>}
      <NetworkButton
        kind="secondary"
        size="sm"
        wide
        busy={query.isFetchingNextPage}
        onClick={() => query.fetchNextPage()}
      >
        {t('more')}
      </NetworkButton>
    </>
  );
}
