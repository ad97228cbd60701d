import { useUser } from '#web/shared/api/use-session.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useGoBack } from '#web/shared/navigation/use-go-back.ts';
import { PATHS } from '#web/shared/paths.ts';
import { Screen } from '#web/shared/ui/Screen.tsx';
import { DeleteAccountCard } from './DeleteAccountCard.tsx';
import { ExportCard } from './ExportCard.tsx';
import { ForeignWorkCard } from './ForeignWorkCard.tsx';

/** The user's data: to export, and to erase. */
export function AccountPage() {
  const { t } = useTranslation('users');
  const user = useUser();
  return (
    <Screen title={t('account.title')} onBack={useGoBack(PATHS.profile)}>
      <div className="mx-auto flex w-full max-w-[560px] flex-col gap-4">
        <ExportCard />
        <ForeignWorkCard />
        <DeleteAccountCard user={user} />
      </div>
    </Screen>
  );
}
