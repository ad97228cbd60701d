import { Link, useSearchParams } from 'wouter';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { Door } from './Door.tsx';
import { DoorCorner } from './DoorCorner.tsx';
import { Notice } from './Notice.tsx';
import { SignInPanel } from './SignInPanel.tsx';
import { usePasswordWay } from './use-password-way.ts';

export function RegisterPage() {
  const { t } = useTranslation('auth');
  const [query] = useSearchParams();
  const { sign_up } = usePasswordWay();
  return (
    <Door tagline={t('registerTitle')} pitch={t('registerPitch')} corner={<DoorCorner />}>
      <title>{`${t('signUp')} · Sendlap`}</title>
      {!sign_up && <Notice icon="shield">{t('signUpElsewhere')}</Notice>}
      <SignInPanel signup={sign_up} arrived_with={query.get('error')} />
      {sign_up && (
        <Link href="/login" className={`mt-3 ${buttonClasses('quiet', 'md', true)}`}>
          {`${t('haveAccount')} ${t('signIn')}`}
        </Link>
      )}
    </Door>
  );
}
