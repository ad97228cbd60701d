import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { classes } from '#web/shared/ui/classes.ts';
import { Spinner } from '#web/shared/ui/Spinner.tsx';
import { CameraHelp } from './CameraHelp.tsx';
import type { CameraProblem } from './camera.ts';
import type { Camera, CameraState } from './use-camera.ts';

interface CameraViewProps {
  camera: Camera;
  /** What to say below the frame. */
  hint: string;
  /** The hint is about something that was just seen. */
  alert: boolean;
}

/** The picture over the whole screen, with the frame in which a code is expected. */
export function CameraView({ camera, hint, alert }: CameraViewProps) {
  const { t } = useTranslation('qr');
  const { video, state, retry } = camera;
  const shown = state === 'running';
  return (
    <div className="absolute inset-0 overflow-hidden">
      {/* Only what the camera sees: there is nothing to caption. */}
      <video
        ref={video}
        muted
        playsInline
        className={classes('absolute inset-0 size-full object-cover transition-opacity', !shown && 'opacity-0')}
      />
      {shown && <Frame />}
      {(state === 'starting' || state === 'asking') && (
        <p
          role="status"
          className="absolute inset-0 flex items-center justify-center gap-3 px-10 text-center text-lg text-balance"
        >
          {state === 'starting' && <Spinner />}
          {t(`scan.${state}`)}
        </p>
      )}
      {isProblem(state) && <CameraHelp problem={state} onRetry={retry} />}
      {shown && (
        <p
          role="status"
          className="absolute inset-x-6 top-[calc(42%+min(38vw,170px)+24px)] text-center text-[1.0625rem] font-medium"
        >
          <span
            className={classes(
              'inline-block rounded-full px-4 py-2 backdrop-blur-sm',
              alert ? 'bg-danger text-on-danger' : 'bg-black/65 text-white',
            )}
          >
            {hint}
          </span>
        </p>
      )}
    </div>
  );
}

function isProblem(state: CameraState): state is CameraProblem {
  return state !== 'held' && state !== 'starting' && state !== 'asking' && state !== 'running';
}

const CORNERS = [
  'top-0 left-0 rounded-tl-xl border-t-5 border-l-5',
  'top-0 right-0 rounded-tr-xl border-t-5 border-r-5',
  'bottom-0 left-0 rounded-bl-xl border-b-5 border-l-5',
  'right-0 bottom-0 rounded-br-xl border-r-5 border-b-5',
];

/** Four corners, and everything outside of them darker. */
function Frame() {
  return (
    <div
      aria-hidden="true"
      className="absolute top-[42%] left-1/2 size-[min(76vw,340px)] -translate-1/2 rounded-xl shadow-[0_0_0_100vmax_rgb(0_0_0/0.6)]"
    >
      {CORNERS.map((corner) => (
        <span key={corner} className={classes('absolute size-14 border-white', corner)} />
      ))}
    </div>
  );
}
