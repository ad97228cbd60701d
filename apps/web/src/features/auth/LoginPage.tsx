import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useSession } from '#web/shared/api/use-session.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { isCodeKept } from '#web/shared/navigation/return-path.ts';
import { parseSignInNotice, takeSignInNotice } from '#web/shared/navigation/sign-in-notice.ts';
import { PATHS } from '#web/shared/paths.ts';
import { Button, buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { lazyPart } from '#web/shared/ui/feedback/lazy-part.tsx';
import { WhenIdle } from '#web/shared/ui/feedback/WhenIdle.tsx';
import { BrowseOffline } from './BrowseOffline.tsx';
import { Notice } from './Notice.tsx';
import { SignInLayout } from './SignInLayout.tsx';
import { SignInPanel } from './SignInPanel.tsx';
import { SignInPreferences } from './SignInPreferences.tsx';
import { isDemoOffered } from './sign-in-methods.ts';
import { UnsentNotice } from './UnsentNotice.tsx';
import { usePasswordSignIn } from './use-password-sign-in.ts';

// In a production build the first operand is constant false, so the bundler drops the rest.
const DemoButton =
  import.meta.env.DEV &&
  isDemoOffered({ dev: true, hostname: location.hostname, enabled: import.meta.env.VITE_DEMO_USER === '1' })
    ? lazyPart(() => import('./DemoButton.tsx').then((m) => m.DemoButton))
    : null;

const ServerNote = lazyPart(() => import('./ServerNote.tsx').then((m) => m.ServerNote));
const ServerName = lazyPart(() => import('./ServerNote.tsx').then((m) => m.ServerName));
/** On this machine and in a local network a server may still wait for its operator. */
const IS_LOCAL = /^(localhost|\[::1\]|[\d.]+|.+\.(local|lan|internal|home\.arpa))$/.test(location.hostname);

export function LoginPage() {
  const { t } = useTranslation('auth');
  const { error } = useSession();
  const [query] = useSearchParams();
  const [stored_notice] = useState(takeSignInNotice);
  // The response to a sign-out may arrive after this page has mounted.
  const notice = stored_notice ?? parseSignInNotice(query.get('notice'));
  const password_sign_in = usePasswordSignIn();
  const { Form } = password_sign_in;
  return (
    <SignInLayout
      tagline={t('tagline')}
      pitch={t('pitch')}
      server_name={
        <WhenIdle>
          <ServerName />
        </WhenIdle>
      }
      corner={<SignInPreferences />}
      is_compact={Form !== null}
    >
      <title>{`${t('signIn')} · Sendlap`}</title>
      {notice && <Notice icon="shield">{t(`notice.${notice}`)}</Notice>}
      {isCodeKept() && <Notice icon="shield">{t('codeKept')}</Notice>}
      <UnsentNotice />
      <BrowseOffline />
      <SignInPanel
        signup={false}
        second_way={password_sign_in.can_sign_up ? 'sign_up_button' : 'sign_up_hint'}
        initial_error={query.get('error') ?? error}
        request_id={query.get('request')}
      >
        {Form && <Form can_reset={password_sign_in.can_reset} />}
      </SignInPanel>
      {!Form && (
        // Reserves the space until it is known whether the server offers the password sign-in.
        <div className="mt-1 flex min-h-12 justify-center">
          {password_sign_in.offered && (
            <Button
              kind="quiet"
              size="sm"
              onPointerEnter={password_sign_in.prefetchForm}
              onClick={password_sign_in.open}
            >
              {t('form.open')}
            </Button>
          )}
        </div>
      )}
      {DemoButton && <DemoButton />}
      <Link href={PATHS.about} className={buttonClasses('quiet', 'sm', true)}>
        {t('about')}
      </Link>
      {/* Reserves the space of two lines, on narrow screens of three, until the server has answered. */}
      <p
        className={`text-center text-sm text-ink-soft text-balance ${IS_LOCAL ? 'mt-2 min-h-10 max-[389px]:min-h-15' : ''}`}
      >
        <WhenIdle>
          <ServerNote />
        </WhenIdle>
      </p>
    </SignInLayout>
  );
}
