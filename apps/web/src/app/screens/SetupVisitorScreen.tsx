import { Link } from 'wouter';
import { SignInLayout } from '#web/features/auth/SignInLayout.tsx';
import { SignInPreferences } from '#web/features/auth/SignInPreferences.tsx';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { buttonClasses } from '#web/shared/ui/controls/Button.tsx';

/** Shown to a visitor of a set-up address: first, the operator needs an account. */
export function SetupVisitorScreen() {
  const { t } = useTranslation('setup');
  return (
    <SignInLayout tagline={t('visitor.title')} pitch={t('visitor.text')} corner={<SignInPreferences />}>
      <title>{`${t('title')} · Sendlap`}</title>
      <Link href={PATHS.register} className={buttonClasses('primary', 'md', true)}>
        {t('visitor.signUp')}
      </Link>
      <Link href={PATHS.login} className={`mt-3 ${buttonClasses('secondary', 'md', true)}`}>
        {t('visitor.signIn')}
      </Link>
    </SignInLayout>
  );
}
