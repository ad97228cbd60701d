import { Link } from 'wouter';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { SCAN_PATH } from '../code/links.ts';

/**
 * Link to the scanner on the home screen (on phones only the icon, the title needs the room): for referees, for
 * friends, and for a kiosk's code.
 */
export function ScanLink() {
  const { t } = useTranslation('qr');
  return (
    <Link href={SCAN_PATH} className={buttonClasses('secondary', 'sm')}>
      <Icon name="scan" size={22} />
      <span className="max-[479px]:sr-only">{t('scan.title')}</span>
    </Link>
  );
}
