import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'wouter';
import { buttonClasses } from '#web/shared/ui/Button.tsx';
import { Door } from './Door.tsx';
import { DoorCorner } from './DoorCorner.tsx';
import { SignInPanel } from './SignInPanel.tsx';

export function RegisterPage() {
  const { t } = useTranslation('auth');
  const [query] = useSearchParams();
  return (
    <Door tagline={t('registerTitle')} pitch={t('registerPitch')} corner={<DoorCorner />}>
      <title>{`${t('signUp')} · Sendlap`}</title>
      <SignInPanel signup arrived_with={query.get('error')} />
      <Link href="/login" className={`mt-3 ${buttonClasses('quiet', 'md', true)}`}>
        {`${t('haveAccount')} ${t('signIn')}`}
      </Link>
    </Door>
  );
}
