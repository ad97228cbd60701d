import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useSession } from '#web/shared/api/use-session.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button, buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { late } from '#web/shared/ui/feedback/late.tsx';
import { BrowseOffline } from './BrowseOffline.tsx';
import { Door } from './Door.tsx';
import { DoorCorner } from './DoorCorner.tsx';
import { isDemoOffered } from './demo-user.ts';
import { readDoorNotice, takeDoorNotice } from './door-notice.ts';
import { Notice } from './Notice.tsx';
import { SignInPanel } from './SignInPanel.tsx';
import { usePasswordWay } from './use-password-way.ts';
import { WaitingHere } from './WaitingHere.tsx';

// In a production build the first operand is constant false, so the bundler drops the rest.
const DemoButton =
  import.meta.env.DEV &&
  isDemoOffered({ dev: true, hostname: location.hostname, enabled: import.meta.env.VITE_DEMO_USER === '1' })
    ? late(() => import('./DemoButton.tsx').then((m) => m.DemoButton))
    : null;

export function LoginPage() {
  const { t } = useTranslation('auth');
  const { error } = useSession();
  const [query] = useSearchParams();
  const [kept] = useState(takeDoorNotice);
  // The response to a sign-out may arrive after this page has mounted.
  const notice = kept ?? readDoorNotice(query.get('notice'));
  const way = usePasswordWay();
  const { Form } = way;
  return (
    <Door tagline={t('tagline')} pitch={t('pitch')} corner={<DoorCorner />} folded={Form !== null}>
      <title>{`${t('signIn')} · Sendlap`}</title>
      {notice && <Notice icon="shield">{t(`notice.${notice}`)}</Notice>}
      <WaitingHere />
      <BrowseOffline />
      <SignInPanel signup={false} arrived_with={query.get('error') ?? error} request_id={query.get('request')}>
        {Form && <Form can_reset={way.can_reset} />}
      </SignInPanel>
      {way.sign_up && (
        <Link
          href="/register"
          className={`${Form ? 'mt-1' : 'mt-3'} ${buttonClasses(Form ? 'quiet' : 'secondary', 'md', true)}`}
        >
          {t('signUp')}
        </Link>
      )}
      {!Form && (
        // Reserves the space until it is known whether the server offers the password sign-in.
        <div className="mt-1 flex min-h-12 justify-center">
          {way.offered && (
            <Button kind="quiet" size="sm" onPointerEnter={way.prepare} onClick={way.open}>
              {t('form.open')}
            </Button>
          )}
        </div>
      )}
      {DemoButton && <DemoButton />}
      <Link href="/about" className={buttonClasses('quiet', 'sm', true)}>
        {t('about')}
      </Link>
    </Door>
  );
}
