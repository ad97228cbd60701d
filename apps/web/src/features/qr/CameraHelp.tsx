import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/Button.tsx';
import { Icon } from '#web/shared/ui/Icon.tsx';
import { type BrowserKind, browserKindOf, type CameraProblem } from './camera.ts';

/** Why there is no picture, how to change that, and what works meanwhile. */
export function CameraHelp({ problem, onRetry }: { problem: CameraProblem; onRetry: () => void }) {
  const { t } = useTranslation(['qr', 'shell']);
  return (
    <div
      role="alert"
      className="absolute inset-0 flex flex-col items-center justify-center gap-3 px-8 pb-24 text-center"
    >
      <div className="grid size-18 place-items-center rounded-full bg-white/12">
        <Icon name="warning" size={34} />
      </div>
      <h2 className="mt-1 text-xl font-bold">{t(`scan.camera.${problem}Title`)}</h2>
      <p className="max-w-[36ch] text-white/80">
        {problem === 'refused' ? t(`scan.camera.allow.${browserHere()}`) : t(`scan.camera.${problem}`)}
      </p>
      <p className="max-w-[36ch] text-white/80">{t('scan.camera.meanwhile')}</p>
      {problem !== 'insecure' && (
        <Button kind="secondary" icon="sync" className="mt-3" onClick={onRetry}>
          {t('shell:retry')}
        </Button>
      )}
    </div>
  );
}

function browserHere(): BrowserKind {
  const installed = matchMedia('(display-mode: standalone)').matches;
  return browserKindOf(navigator.userAgent, { installed, touch_points: navigator.maxTouchPoints });
}
