import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { classes } from '#web/shared/ui/classes.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Spinner } from '#web/shared/ui/controls/Spinner.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { browserKindOf, type CameraProblem } from './camera.ts';
import type { Camera } from './use-camera.ts';

interface CameraViewProps {
  camera: Camera;
  /** Text below the frame. */
  hint: string;
  /** Shows the hint in red: the code just seen cannot be used. */
  is_error: boolean;
}

/** The full-screen camera picture, with the frame for the code. */
export function CameraView({ camera, hint, is_error }: CameraViewProps) {
  const { t } = useTranslation('qr');
  const { video, state, retry } = camera;
  const is_running = state === 'running';
  const is_waiting = state === 'starting' || state === 'asking';
  return (
    <div className="absolute inset-0 overflow-hidden">
      {/* Live camera picture: there is nothing to caption. */}
      <video
        ref={video}
        muted
        playsInline
        className={classes('absolute inset-0 size-full object-cover transition-opacity', !is_running && 'opacity-0')}
      />
      {is_running && <Frame />}
      {is_waiting && (
        <p
          role="status"
          className="absolute inset-0 flex items-center justify-center gap-3 px-10 text-center text-lg text-balance"
        >
          {state === 'starting' && <Spinner />}
          {t(`scan.${state}`)}
        </p>
      )}
      {!is_running && !is_waiting && state !== 'held' && <CameraHelp problem={state} onRetry={retry} />}
      {is_running && (
        <p
          role="status"
          className="absolute inset-x-6 top-[calc(42%+min(38vw,170px)+24px)] text-center text-body font-medium"
        >
          <span
            className={classes(
              'inline-block rounded-full px-4 py-2 backdrop-blur-sm',
              is_error ? 'bg-danger text-on-danger' : 'bg-black/65 text-white',
            )}
          >
            {hint}
          </span>
        </p>
      )}
    </div>
  );
}

/** Why there is no picture, how to fix that, and how to go on without a camera. */
function CameraHelp({ problem, onRetry }: { problem: CameraProblem; onRetry: () => void }) {
  const { t } = useTranslation(['qr', 'shell']);
  const installed = matchMedia('(display-mode: standalone)').matches;
  const browser = browserKindOf(navigator.userAgent, { installed, touch_points: navigator.maxTouchPoints });
  return (
    <div
      role="alert"
      className="absolute inset-x-0 top-18 bottom-[6.5rem] flex flex-col items-center justify-center-safe gap-3 overflow-y-auto px-8 text-center"
    >
      <div className="grid size-18 place-items-center rounded-full bg-white/12">
        <Icon name="warning" size={34} />
      </div>
      <h2 className="mt-1 text-xl font-bold">{t(`scan.camera.${problem}Title`)}</h2>
      <p className="max-w-[36ch] text-white/80">
        {problem === 'refused' ? t(`scan.camera.allow.${browser}`) : t(`scan.camera.${problem}`)}
      </p>
      <p className="max-w-[36ch] text-white/80">{t('scan.camera.otherWays')}</p>
      {problem !== 'insecure' && (
        <Button kind="secondary" icon="sync" className="mt-3" onClick={onRetry}>
          {t('shell:retry')}
        </Button>
      )}
    </div>
  );
}

const CORNERS = [
  'top-0 left-0 rounded-tl-xl border-t-5 border-l-5',
  'top-0 right-0 rounded-tr-xl border-t-5 border-r-5',
  'bottom-0 left-0 rounded-bl-xl border-b-5 border-l-5',
  'right-0 bottom-0 rounded-br-xl border-r-5 border-b-5',
];

/** Four corners; everything outside of them is dimmed. */
function Frame() {
  return (
    <div
      aria-hidden="true"
      className="absolute top-[42%] left-1/2 size-[min(76vw,340px)] -translate-1/2 rounded-xl shadow-[0_0_0_100vmax] shadow-black/60"
    >
      {CORNERS.map((corner) => (
        <span key={corner} className={classes('absolute size-14 border-white', corner)} />
      ))}
    </div>
  );
}

type CameraChoiceListProps = NonNullable<Camera['choice']> & { onDone: () => void };

/** Phones have up to five cameras, and not all can focus on a code. The choice is remembered. */
export function CameraChoiceList({ cameras, selected_id, choose, onDone }: CameraChoiceListProps) {
  const { t } = useTranslation('qr');
  return (
    <ul className="flex flex-col gap-2">
      {cameras.map((camera, index) => (
        <li key={camera.id}>
          <button
            type="button"
            aria-pressed={camera.id === selected_id}
            onClick={() => {
              choose(camera.id);
              onDone();
            }}
            className={classes(
              'pressable flex min-h-14 w-full items-center gap-3 rounded-lg px-4 text-left font-medium',
              camera.id === selected_id ? 'bg-accent-tint text-accent-ink' : 'bg-sunken',
            )}
          >
            <Icon name="camera" size={22} className="shrink-0" />
            <span className="min-w-0 flex-1 wrap-break-word">
              {camera.label || t('cameras.unnamed', { number: index + 1 })}
            </span>
            {camera.id === selected_id && <Icon name="check" size={22} className="shrink-0" />}
          </button>
        </li>
      ))}
    </ul>
  );
}
