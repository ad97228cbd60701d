import { useQuery } from '@tanstack/react-query';
import { useUser } from '#web/shared/api/use-session.ts';
import { dateFormat } from '#web/shared/i18n/formats.ts';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { NetworkButton } from '#web/shared/ui/controls/NetworkButton.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { Loading } from '#web/shared/ui/feedback/Loading.tsx';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { Screen } from '#web/shared/ui/Screen.tsx';
import { ExportCard } from './ExportCard.tsx';
import { getDeletionQuery, useRestoreAccount } from './queries.ts';
import { SignOut } from './SignOut.tsx';

/** The only screen of a locked account: why it is locked, and how to restore it. */
export function LockedPage() {
  const { t } = useTranslation('users');
  const user = useUser();
  const { data, isPending } = useQuery(getDeletionQuery(user.id));
  return (
    <Screen title={t('locked.title')}>
      <div className="flex w-full max-w-[560px] flex-col gap-4">
        <div className="flex items-start gap-4">
          <span className="grid size-14 shrink-0 place-items-center rounded-full bg-danger-tint text-danger-ink">
            <Icon name={data?.is_suspended ? 'warning' : 'trash'} size={28} />
          </span>
          <div className="min-w-0">
            {isPending ? (
              <Loading>
                <Skeleton className="h-12 w-64 max-w-full" />
              </Loading>
            ) : data?.is_suspended ? (
              <p>{t('locked.suspended')}</p>
            ) : (
              <ErasureDate erase_after={data?.erase_after ?? null} />
            )}
            <p className="mt-1 text-ink-soft">{t(data?.is_suspended ? 'locked.suspendedText' : 'locked.text')}</p>
          </div>
        </div>
        {!data?.is_suspended && <KeepAccount user_id={user.id} />}
        <ExportCard />
        <SignOut user_id={user.id} />
      </div>
    </Screen>
  );
}

function KeepAccount({ user_id }: { user_id: string }) {
  const { t } = useTranslation('users');
  const errorText = useErrorText();
  const restore = useRestoreAccount(user_id);
  const restoreAccount = () =>
    restore.mutateAsync().then(
      () => toast({ title: t('locked.kept'), tone: 'success' }),
      // The error is shown above the button.
      () => {},
    );
  return (
    <>
      {restore.error && <Problem>{errorText(restore.error)}</Problem>}
      <NetworkButton wide busy={restore.isPending} onClick={() => void restoreAccount()}>
        {t('locked.keep')}
      </NetworkButton>
    </>
  );
}

function ErasureDate({ erase_after }: { erase_after: string | null }) {
  const { t } = useTranslation('users');
  const locale = useLocale();
  if (!erase_after) return <p>{t('locked.someDay')}</p>;
  const format = (options: Intl.DateTimeFormatOptions) => dateFormat(locale, options).format(new Date(erase_after));
  const date = format({ weekday: 'long', day: 'numeric', month: 'long' });
  return <p>{t('locked.when', { date, time: format({ timeStyle: 'short' }) })}</p>;
}
