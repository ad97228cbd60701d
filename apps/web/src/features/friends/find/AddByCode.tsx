import { useQuery } from '@tanstack/react-query';
import { ApiError } from '#web/shared/api/errors.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';
import { searchFriendQuery } from '../people/queries.ts';
import { FoundPerson } from './FoundPerson.tsx';
import { useSearchErrorText } from './use-search-error-text.ts';

interface AddByCodeProps {
  /** From a scanned code. */
  public_id: string;
  onMessage: (friend_id: string) => void;
}

/** The user behind a scanned code, and the actions to become friends. Only the server knows the user's name. */
export function AddByCode({ public_id, onMessage }: AddByCodeProps) {
  const { t } = useTranslation(['friends', 'shell']);
  const user = useUser();
  const online = useOnline();
  const errorText = useSearchErrorText();
  const search = useQuery({ ...searchFriendQuery(user.id, public_id), enabled: online });
  if (search.data) return <FoundPerson found={search.data} found_at={search.dataUpdatedAt} onMessage={onMessage} />;
  const failed = search.isError && !search.isFetching;
  const is_unknown = search.error instanceof ApiError && search.error.status === 404;
  return (
    <>
      <p className="figures rounded-lg bg-sunken p-4 text-xl font-semibold wrap-anywhere select-all">{public_id}</p>
      {!online && <p className="text-ink-soft">{t('add.offline')}</p>}
      {online && failed && (
        <>
          <Problem>{errorText(search.error)}</Problem>
          {!is_unknown && (
            <Button kind="secondary" size="sm" icon="sync" wide onClick={() => void search.refetch()}>
              {t('shell:retry')}
            </Button>
          )}
        </>
      )}
      {online && !failed && <Skeleton className="h-14 rounded-lg" />}
      <p role="status" className="sr-only">
        {online && !failed && t('add.searching')}
      </p>
    </>
  );
}
