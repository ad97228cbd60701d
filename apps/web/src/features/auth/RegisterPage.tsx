import { Link, useSearchParams } from 'wouter';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { Notice } from './Notice.tsx';
import { SignInLayout } from './SignInLayout.tsx';
import { SignInPanel } from './SignInPanel.tsx';
import { SignInPreferences } from './SignInPreferences.tsx';
import { usePasswordSignIn } from './use-password-sign-in.ts';

export function RegisterPage() {
  const { t } = useTranslation('auth');
  const [query] = useSearchParams();
  const { can_sign_up } = usePasswordSignIn();
  return (
    <SignInLayout tagline={t('registerTitle')} pitch={t('registerPitch')} corner={<SignInPreferences />}>
      <title>{`${t('signUp')} · Sendlap`}</title>
      {!can_sign_up && <Notice icon="shield">{t('signUpElsewhere')}</Notice>}
      <SignInPanel signup={can_sign_up} initial_error={query.get('error')} />
      {can_sign_up && (
        <Link href={PATHS.login} className={`mt-3 ${buttonClasses('quiet', 'md', true)}`}>
          {`${t('haveAccount')} ${t('signIn')}`}
        </Link>
      )}
    </SignInLayout>
  );
}
