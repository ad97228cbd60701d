import { Link } from 'wouter';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';

/**
 * Link to the scanner on the home screen (on phones only the icon, the title needs the room), for a friend's code and
 * a kiosk's. A referee has it in the card of referees.
 */
export function ScanLink() {
  const { t } = useTranslation('qr');
  return (
    <Link href={PATHS.scan} className={buttonClasses('secondary', 'sm')}>
      <Icon name="scan" size={22} />
      <span className="max-[479px]:sr-only">{t('scan.title')}</span>
    </Link>
  );
}
