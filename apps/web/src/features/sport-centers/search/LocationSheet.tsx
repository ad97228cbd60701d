import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Sheet } from '#web/shared/ui/sheet/Sheet.tsx';
import { deviceKind } from './device-kind.ts';
import { LocationProblem, LocationReason } from './LocationReason.tsx';
import type { LocatePrompt } from './locate-flow.ts';

interface LocationSheetProps {
  /** null: closed. `ask`: the reason, before the browser's prompt; otherwise the failure and how to fix it. */
  state: LocatePrompt;
  is_busy: boolean;
  onShare: () => void;
  onClose: () => void;
}

/** Shows the reason before the browser's prompt, and the fix if the permission was denied. */
export function LocationSheet({ state, is_busy, onShare, onClose }: LocationSheetProps) {
  const { t } = useTranslation('sport-centers');
  if (state === null) return null;
  const kind = deviceKind(navigator.userAgent, navigator.maxTouchPoints);
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()} title={t(`location.${state}.title`)}>
      <div className="flex max-w-[46ch] flex-col gap-3 text-ink-soft">
        {state === 'ask' ? <LocationReason /> : <LocationProblem failure={state} kind={kind} />}
      </div>
      <div className="mt-6 flex flex-col gap-2">
        {state !== 'blocked' && (
          <Button icon="locate" wide busy={is_busy} onClick={onShare}>
            {t(state === 'ask' ? 'location.share' : 'location.tryAgain')}
          </Button>
        )}
        <Button kind="quiet" wide onClick={onClose}>
          {t(state === 'ask' ? 'location.notNow' : 'location.useWords')}
        </Button>
      </div>
    </Sheet>
  );
}
