import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { Notice } from './Notice.tsx';
import { SignInLayout } from './SignInLayout.tsx';
import { SignInPanel } from './SignInPanel.tsx';
import { SignInPreferences } from './SignInPreferences.tsx';
import { usePasswordSignIn } from './use-password-sign-in.ts';

interface VisitorLayoutProps {
  /** Of the document. */
  title: string;
  tagline: ReactNode;
  pitch: ReactNode;
}

/** Shown to a visitor of an address that needs an account: what it leads to, and the ways to an account. */
export function VisitorLayout({ title, ...texts }: VisitorLayoutProps) {
  const { t } = useTranslation('auth');
  const { can_sign_up } = usePasswordSignIn();
  return (
    <SignInLayout {...texts} corner={<SignInPreferences />}>
      <title>{`${title} · Sendlap`}</title>
      {!can_sign_up && <Notice icon="shield">{t('signUpElsewhere')}</Notice>}
      <SignInPanel signup={can_sign_up} initial_error={null} />
      {can_sign_up && (
        <Link href={PATHS.login} className={`mt-3 ${buttonClasses('secondary', 'md', true)}`}>
          {t('visitor.signIn')}
        </Link>
      )}
    </SignInLayout>
  );
}
