import { use, useRef } from 'react';
import { Link } from 'wouter';
import { useOnline } from '#web/shared/device/online.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { TitleBarEnd } from '#web/shared/ui/title-bar-end.ts';
import type { Camera } from '../camera/use-camera.ts';

const ROUND = 'pressable grid size-12 shrink-0 place-items-center rounded-full bg-black/65 backdrop-blur-sm';

const WIDE =
  'pressable min-h-14 rounded-lg bg-black/65 inset-ring-2 inset-ring-white/35 px-4 text-body font-semibold backdrop-blur-md';

interface ScanBarsProps {
  torch: Camera['torch'];
  /** There is a picture; without one, its help takes the room of the note. */
  is_running: boolean;
  onBack: () => void;
  /** null: there is only one camera. */
  onCameras: (() => void) | null;
  onTypeDigits: () => void;
  onPicture: (file: File) => void;
}

/**
 * Controls over the camera picture: back, torch, cameras and sync chip at the top, input without a camera at the
 * bottom, near the thumb.
 */
export function ScanBars({ torch, is_running, onBack, onCameras, onTypeDigits, onPicture }: ScanBarsProps) {
  const { t } = useTranslation(['qr', 'shell']);
  const online = useOnline();
  return (
    <>
      <header className="relative flex items-center gap-2 px-3 pt-[max(12px,env(safe-area-inset-top))]">
        <button type="button" onClick={onBack} aria-label={t('shell:back')} className={ROUND}>
          <Icon name="chevron-left" />
        </button>
        <h1 className="min-w-0 flex-1 text-center text-[min(1.125rem,7vw)] leading-tight font-bold text-balance wrap-break-word">
          {t('scan.title')}
        </h1>
        {onCameras && (
          <button type="button" onClick={onCameras} aria-label={t('scan.cameras')} className={ROUND}>
            <Icon name="camera" />
          </button>
        )}
        {torch && (
          <button
            type="button"
            onClick={torch.toggle}
            aria-pressed={torch.on}
            aria-label={t('scan.torch')}
            className={torch.on ? `${ROUND} bg-white! text-black` : ROUND}
          >
            <Icon name="torch" />
          </button>
        )}
        <Link href={PATHS.decisions} aria-label={t('decisions.title')} className={ROUND}>
          <Icon name="list" />
        </Link>
      </header>
      {/* Over the camera picture the dark theme's colours apply. */}
      <div data-theme="dark" className="relative flex justify-center pt-2">
        <div className="rounded-full bg-black/65 has-[button]:py-1 has-[button]:pl-1">{use(TitleBarEnd)}</div>
      </div>
      <div className="relative mt-auto flex flex-col items-center gap-3 px-4 pb-[max(24px,env(safe-area-inset-bottom))]">
        {!online && is_running && (
          <p className="flex items-center gap-2 rounded-xl bg-black/65 px-4 py-2 text-label backdrop-blur-sm">
            <Icon name="offline" size={20} className="shrink-0" />
            {t('scan.offline')}
          </p>
        )}
        <div className="flex w-full max-w-[440px] gap-3">
          <button type="button" onClick={onTypeDigits} className={`${WIDE} flex-1`}>
            {t('scan.typeDigits')}
          </button>
          <PictureButton onPicture={onPicture} />
        </div>
      </div>
    </>
  );
}

/** Reads a code from a photo or a screenshot, for a camera that is broken or not allowed. */
function PictureButton({ onPicture }: Pick<ScanBarsProps, 'onPicture'>) {
  const { t } = useTranslation('qr');
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/*"
        tabIndex={-1}
        aria-hidden="true"
        className="hidden"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          // Reset, so that the same picture can be chosen again.
          target.value = '';
          if (file) onPicture(file);
        }}
      />
      <button
        type="button"
        aria-label={t('scan.picture.action')}
        title={t('scan.picture.action')}
        onClick={() => input.current?.click()}
        className={`${WIDE} grid w-16 place-items-center px-0!`}
      >
        <Icon name="image" />
      </button>
    </>
  );
}
