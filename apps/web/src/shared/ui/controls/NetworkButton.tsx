import { useOnline } from '#web/shared/device/online.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button, type ButtonProps } from './Button.tsx';

/**
 * A button for actions that need the server: without a network it says so and is disabled. Screen readers still hear
 * the action, as several of these buttons may be beside each other.
 */
export function NetworkButton({ children, disabled, icon, ...rest }: ButtonProps) {
  const { t } = useTranslation('shell');
  const online = useOnline();
  return (
    <Button {...rest} icon={online ? icon : 'offline'} disabled={disabled || !online}>
      {online ? (
        children
      ) : (
        <span>
          <span className="sr-only">{children}:</span> {t('needsNetwork')}
        </span>
      )}
    </Button>
  );
}
