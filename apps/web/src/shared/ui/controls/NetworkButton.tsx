import { useOnline } from '#web/shared/device/online.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button, type ButtonProps } from './Button.tsx';

/** A button for actions that need the server: without a network it is disabled, and says so below the action. */
export function NetworkButton({ children, disabled, icon, ...rest }: ButtonProps) {
  const { t } = useTranslation('shell');
  const online = useOnline();
  return (
    <Button {...rest} icon={online ? icon : 'offline'} disabled={disabled || !online}>
      {online ? (
        children
      ) : (
        <>
          <span className="block leading-tight">
            {children}
            <span className="sr-only">:</span>
          </span>{' '}
          <span className="block text-sm leading-tight font-medium">{t('needsNetwork')}</span>
        </>
      )}
    </Button>
  );
}
