import { Link } from 'wouter';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { useRetainedFocus } from '#web/shared/ui/use-retained-focus.ts';
import { Notice } from './Notice.tsx';
import { SignInPanel } from './SignInPanel.tsx';
import { usePasswordSignIn } from './use-password-sign-in.ts';

interface NewAccountPanelProps {
  /** The text of the link to /login. */
  link_text: string;
  link_kind: 'quiet' | 'secondary';
  /** The error that brought the visitor here, if any. */
  initial_error?: string | null;
}

/** A button that creates an account, and a link to /login; or "Sign in" alone, and where its provider makes accounts. */
export function NewAccountPanel({ link_text, link_kind, initial_error = null }: NewAccountPanelProps) {
  const { t } = useTranslation('auth');
  const { can_sign_up } = usePasswordSignIn();
  // The link is removed if the provider makes the accounts.
  const ways = useRetainedFocus<HTMLDivElement>();
  return (
    <div ref={ways} tabIndex={-1} className="outline-none">
      {!can_sign_up && <Notice icon="shield">{t('signUpElsewhere')}</Notice>}
      <SignInPanel signup={can_sign_up} initial_error={initial_error} />
      {can_sign_up && (
        <Link href={PATHS.login} className={`mt-3 ${buttonClasses(link_kind, 'md', true)}`}>
          {link_text}
        </Link>
      )}
    </div>
  );
}
