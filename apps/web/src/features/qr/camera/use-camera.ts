import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { useUser } from '#web/shared/api/use-session.ts';
import { loadMetadata, saveMetadata } from '#web/shared/copies/metadata.ts';
import {
  type CameraDevice,
  type CameraProblem,
  cameraIdOf,
  closeCamera,
  hasTorch,
  isCameraSupported,
  listCameras,
  openCamera,
  setTorch,
  toCameraProblem,
} from './camera.ts';

/** `held`: not requested yet. `asking`: the browser shows its permission prompt. */
type CameraState = 'held' | 'starting' | 'asking' | 'running' | CameraProblem;

export interface Camera {
  video: RefObject<HTMLVideoElement | null>;
  state: CameraState;
  /** null if the camera has no torch. */
  torch: { on: boolean; toggle: () => void } | null;
  /** null if there is only one camera. */
  choice: { cameras: CameraDevice[]; selected_id: string | null; choose: (id: string) => void } | null;
  retry: () => void;
}

/** Metadata key of the camera that this user chose on this device; deleted at sign-out with the user's other data. */
const CHOSEN_CAMERA_KEY = 'camera';

interface RunningCamera {
  stream: MediaStream;
  torch_on: boolean | null;
  cameras: CameraDevice[];
}

/**
 * The chosen or the back camera in a video element while the page is visible. A hidden page releases the camera:
 * browsers take it away anyway, and a page must not film while the user cannot see it. Starts when `deferred` is
 * first false: a user who opened a link with a code gets no camera prompt.
 */
export function useCamera(deferred: boolean): Camera {
  const user_id = useUser().id;
  const video = useRef<HTMLVideoElement>(null);
  const stop = useRef(() => {});
  const [state, setState] = useState<CameraState>('starting');
  const [running, setRunning] = useState<RunningCamera | null>(null);
  const visible = usePageVisible();
  const [started, setStarted] = useState(!deferred);
  if (!started && !deferred) setStarted(true);

  const open = useCallback(() => {
    stop.current();
    stop.current = startCamera({
      onState: setState,
      onStream: async (stream) => {
        if (!video.current) return;
        video.current.srcObject = stream;
        await video.current.play().catch(() => {});
        const cameras = await listCameras().catch(() => []);
        setRunning({ stream, cameras, torch_on: hasTorch(stream) ? false : null });
        setState('running');
      },
    });
  }, []);

  useEffect(() => {
    if (!visible || !started) return;
    open();
    return () => stop.current();
  }, [visible, started, open]);

  useEffect(() => (started ? onCameraAllowed(open) : undefined), [started, open]);

  const reopen = () => {
    setState('starting');
    open();
  };
  const toggle = () => {
    if (!running) return;
    const torch_on = running.torch_on === false;
    setTorch(running.stream, torch_on).then(
      () => setRunning({ ...running, torch_on }),
      () => setRunning({ ...running, torch_on: null }),
    );
  };
  const choose = (id: string) => void saveMetadata(CHOSEN_CAMERA_KEY, id, user_id).then(reopen, reopen);
  const live = state === 'running' ? running : null;
  return {
    video,
    state: started ? state : 'held',
    torch: live && live.torch_on !== null ? { on: live.torch_on, toggle } : null,
    choice:
      live && live.cameras.length > 1 ? { cameras: live.cameras, selected_id: cameraIdOf(live.stream), choose } : null,
    retry: reopen,
  };
}

interface StartActions {
  onStream: (stream: MediaStream) => Promise<void>;
  onState: (state: CameraProblem | 'asking') => void;
}

/** Opens the camera; returns the function that closes it, even if it has not opened yet. */
function startCamera({ onStream, onState }: StartActions): () => void {
  let stream: MediaStream | null = null;
  let has_result = false;
  let is_active = true;
  if (!isCameraSupported()) {
    onState('insecure');
    return () => {};
  }
  void readPermission().then((status) => {
    if (is_active && !has_result && status?.state === 'prompt') onState('asking');
  });
  loadMetadata(CHOSEN_CAMERA_KEY)
    .then((id) => openCamera(typeof id === 'string' ? id : null))
    .then(
      async (opened) => {
        has_result = true;
        if (!is_active) return closeCamera(opened);
        stream = opened;
        await onStream(opened);
      },
      (error: unknown) => {
        has_result = true;
        if (is_active) onState(toCameraProblem(error));
      },
    );
  return () => {
    is_active = false;
    if (stream) closeCamera(stream);
  };
}

/** null if the browser does not tell. */
async function readPermission(): Promise<PermissionStatus | null> {
  try {
    return await navigator.permissions.query({ name: 'camera' as PermissionName });
  } catch {
    return null;
  }
}

/** Calls `listener` when the user grants the permission in the browser's settings, if the browser reports that. */
function onCameraAllowed(listener: () => void): () => void {
  const ended = new AbortController();
  void readPermission().then((status) => {
    const changed = () => status?.state === 'granted' && listener();
    status?.addEventListener('change', changed, { signal: ended.signal });
  });
  return () => ended.abort();
}

function usePageVisible(): boolean {
  const [visible, setVisible] = useState(() => document.visibilityState === 'visible');
  useEffect(() => {
    const update = () => setVisible(document.visibilityState === 'visible');
    document.addEventListener('visibilitychange', update);
    return () => document.removeEventListener('visibilitychange', update);
  }, []);
  return visible;
}
