import type { ReactNode } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { NewAccountPanel } from './NewAccountPanel.tsx';
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
      <NewAccountPanel link_text={t('visitor.signIn')} link_kind="secondary" />
    </SignInLayout>
  );
}
