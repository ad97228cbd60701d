import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { SignInLayout } from './SignInLayout.tsx';
import { SignInPreferences } from './SignInPreferences.tsx';

interface VisitorLayoutProps {
  /** Of the document. */
  title: string;
  tagline: ReactNode;
  pitch: ReactNode;
}

/** Shown to a visitor of an address that needs an account: what it leads to, and the ways to an account. */
export function VisitorLayout({ title, ...texts }: VisitorLayoutProps) {
  const { t } = useTranslation('auth');
  return (
    <SignInLayout {...texts} corner={<SignInPreferences />}>
      <title>{`${title} · Sendlap`}</title>
      <Link href={PATHS.register} className={buttonClasses('primary', 'md', true)}>
        {t('visitor.signUp')}
      </Link>
      <Link href={PATHS.login} className={`mt-3 ${buttonClasses('secondary', 'md', true)}`}>
        {t('visitor.signIn')}
      </Link>
    </SignInLayout>
  );
}
