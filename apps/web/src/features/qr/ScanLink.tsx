import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useRefereeRights } from '#web/shared/api/referee-rights.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { buttonClasses } from '#web/shared/ui/Button.tsx';
import { Icon } from '#web/shared/ui/Icon.tsx';
import { SCAN_PATH } from './links.ts';

/** The scanner, one tap from home; only for those who may confirm somewhere. */
export function ScanLink() {
  const { t } = useTranslation('qr');
  const { rights } = useRefereeRights(useUser().id);
  if (!rights?.length) return null;
  return (
    <Link href={SCAN_PATH} className={buttonClasses('secondary', 'sm')}>
      <Icon name="scan" size={22} />
      {t('scan.title')}
    </Link>
  );
}
