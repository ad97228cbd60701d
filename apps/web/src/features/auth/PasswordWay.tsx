import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/Button.tsx';
import type { PasswordWayState } from './use-password-way.ts';

/** The quiet button that opens the second way in, in a place that is kept free until it is known to be offered. */
export function PasswordWay({ way }: { way: PasswordWayState }) {
  const { t } = useTranslation('auth');
  return (
    <div className="mt-1 flex min-h-12 justify-center">
      {way.offered && (
        <Button kind="quiet" size="sm" onPointerEnter={way.prepare} onClick={way.open}>
          {t('form.open')}
        </Button>
      )}
    </div>
  );
}
