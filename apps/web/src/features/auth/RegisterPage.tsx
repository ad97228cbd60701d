import { useSearchParams } from 'wouter';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { NewAccountPanel } from './NewAccountPanel.tsx';
import { SignInLayout } from './SignInLayout.tsx';
import { SignInPreferences } from './SignInPreferences.tsx';

export function RegisterPage() {
  const { t } = useTranslation('auth');
  const [query] = useSearchParams();
  return (
    <SignInLayout tagline={t('registerTitle')} pitch={t('registerPitch')} corner={<SignInPreferences />}>
      <title>{`${t('signUp')} · Sendlap`}</title>
      <NewAccountPanel
        link_text={`${t('haveAccount')} ${t('signIn')}`}
        link_kind="quiet"
        initial_error={query.get('error')}
      />
    </SignInLayout>
  );
}
