import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'wouter';
import { useSession } from '#web/shared/api/use-session.ts';
import { buttonClasses } from '#web/shared/ui/Button.tsx';
import { BrowseOffline } from './BrowseOffline.tsx';
import { Door } from './Door.tsx';
import { DoorCorner } from './DoorCorner.tsx';
import { SignInPanel } from './SignInPanel.tsx';

export function LoginPage() {
  const { t } = useTranslation('auth');
  const { error } = useSession();
  const [query] = useSearchParams();
  return (
    <Door tagline={t('tagline')} pitch={t('pitch')} corner={<DoorCorner />}>
      <title>{`${t('signIn')} · Sendlap`}</title>
      <SignInPanel signup={false} arrived_with={query.get('error') ?? error} />
      <Link href="/register" className={`mt-3 ${buttonClasses('secondary', 'md', true)}`}>
        {t('signUp')}
      </Link>
      <BrowseOffline />
    </Door>
  );
}
