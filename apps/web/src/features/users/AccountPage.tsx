import { useLocation } from 'wouter';
import { useUser } from '#web/shared/api/use-session.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Screen } from '#web/shared/ui/Screen.tsx';
import { DeleteAccountCard } from './DeleteAccountCard.tsx';
import { ExportCard } from './ExportCard.tsx';
import { PROFILE_PATH } from './links.ts';

/** What belongs to me: to take away, and to have erased. */
export function AccountPage() {
  const { t } = useTranslation('users');
  const user = useUser();
  const [, navigate] = useLocation();
  return (
    <Screen title={t('account.title')} onBack={() => navigate(PROFILE_PATH)}>
      <div className="mx-auto flex w-full max-w-[560px] flex-col gap-4">
        <ExportCard />
        <DeleteAccountCard user={user} />
      </div>
    </Screen>
  );
}
