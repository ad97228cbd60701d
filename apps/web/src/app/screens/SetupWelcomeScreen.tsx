import { Link } from 'wouter';
import { SignInLayout } from '#web/features/auth/SignInLayout.tsx';
import { SignInPreferences } from '#web/features/auth/SignInPreferences.tsx';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { buttonClasses } from '#web/shared/ui/controls/Button.tsx';

/** What a visitor sees at a set-up address: first the operator's account. The address is remembered for afterwards. */
export function SetupWelcomeScreen() {
  const { t } = useTranslation('setup');
  return (
    <SignInLayout tagline={t('welcome.title')} pitch={t('welcome.text')} corner={<SignInPreferences />}>
      <title>{`${t('title')} · Sendlap`}</title>
      <Link href={PATHS.register} className={buttonClasses('primary', 'md', true)}>
        {t('welcome.signUp')}
      </Link>
      <Link href={PATHS.login} className={`mt-3 ${buttonClasses('secondary', 'md', true)}`}>
        {t('welcome.signIn')}
      </Link>
    </SignInLayout>
  );
}
