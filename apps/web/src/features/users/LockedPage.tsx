import { useQuery } from '@tanstack/react-query';
import { useUser } from '#web/shared/api/use-session.ts';
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

/** The only screen of a locked account: when it will be erased, and how to restore it. */
export function LockedPage() {
  const { t } = useTranslation('users');
  const errorText = useErrorText();
  const user = useUser();
  const restore = useRestoreAccount(user.id);
  const restoreAccount = () =>
    restore.mutateAsync().then(
      () => toast({ title: t('locked.kept'), tone: 'success' }),
      // The error is shown above the button.
      () => {},
    );
  return (
    <Screen title={t('locked.title')}>
      <div className="flex w-full max-w-[560px] flex-col gap-4">
        <div className="flex items-start gap-4">
          <span className="grid size-14 shrink-0 place-items-center rounded-full bg-danger-tint text-danger-ink">
            <Icon name="trash" size={28} />
          </span>
          <div className="min-w-0">
            <ErasureDate user_id={user.id} />
            <p className="mt-1 text-ink-soft">{t('locked.text')}</p>
          </div>
        </div>
        {restore.error && <Problem>{errorText(restore.error)}</Problem>}
        <NetworkButton wide busy={restore.isPending} onClick={() => void restoreAccount()}>
          {t('locked.keep')}
        </NetworkButton>
        <ExportCard />
        <SignOut user_id={user.id} />
      </div>
    </Screen>
  );
}

function ErasureDate({ user_id }: { user_id: string }) {
  const { t } = useTranslation('users');
  const locale = useLocale();
  const { data, isPending } = useQuery(getDeletionQuery(user_id));
  if (isPending)
    return (
      <Loading>
        <Skeleton className="h-12 w-64 max-w-full" />
      </Loading>
    );
  if (!data?.erase_after) return <p>{t('locked.someDay')}</p>;
  const erase_after = new Date(data.erase_after);
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options).format(erase_after);
  const date = format({ weekday: 'long', day: 'numeric', month: 'long' });
  return <p>{t('locked.when', { date, time: format({ timeStyle: 'short' }) })}</p>;
}
