import { useTranslation } from 'react-i18next';
import { useOnline } from '#web/shared/device/online.ts';
import { Icon } from '#web/shared/ui/Icon.tsx';
import type { Camera } from './use-camera.ts';

const ROUND = 'pressable grid size-12 place-items-center rounded-full bg-black/65 backdrop-blur-sm';

interface ScanBarsProps {
  torch: Camera['torch'];
  onBack: () => void;
  onType: () => void;
}

/** What lies over the picture: back and light above, the way without a camera below the thumb. */
export function ScanBars({ torch, onBack, onType }: ScanBarsProps) {
  const { t } = useTranslation(['qr', 'shell']);
  const online = useOnline();
  return (
    <>
      <header className="relative flex items-center gap-2 px-3 pt-[max(12px,env(safe-area-inset-top))]">
        <button type="button" onClick={onBack} aria-label={t('shell:back')} className={ROUND}>
          <Icon name="chevron-left" />
        </button>
        <h1 className="flex-1 text-center text-lg font-bold">{t('scan.title')}</h1>
        {torch ? (
          <button
            type="button"
            onClick={torch.toggle}
            aria-pressed={torch.on}
            aria-label={t('scan.torch')}
            className={torch.on ? `${ROUND} bg-white! text-black` : ROUND}
          >
            <Icon name="torch" />
          </button>
        ) : (
          <span className="size-12" />
        )}
      </header>
      <div className="relative mt-auto flex flex-col items-center gap-3 px-4 pb-[max(24px,env(safe-area-inset-bottom))]">
        {!online && (
          <p className="flex items-center gap-2 rounded-full bg-black/65 px-4 py-2 text-[0.9375rem] backdrop-blur-sm">
            <Icon name="offline" size={20} className="shrink-0" />
            {t('scan.offline')}
          </p>
        )}
        <button
          type="button"
          onClick={onType}
          className="pressable min-h-14 w-full max-w-[440px] rounded-lg bg-black/65 inset-ring-2 inset-ring-white/35 px-6 text-[1.0625rem] font-semibold backdrop-blur-md"
        >
          {t('scan.typeDigits')}
        </button>
      </div>
    </>
  );
}
