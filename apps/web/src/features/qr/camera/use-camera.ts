import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { useUser } from '#web/shared/api/use-session.ts';
import { loadMetadata, saveMetadata } from '#web/shared/copies/metadata.ts';
import {
  type CameraChoice,
  type CameraProblem,
  cameraIdOf,
  canHaveCamera,
  closeCamera,
  hasTorch,
  listCameras,
  openCamera,
  problemOf,
  setTorch,
} from './camera.ts';

/** `held`: nobody asked for it yet. `asking`: the browser's own question stands on the screen. */
type CameraState = 'held' | 'starting' | 'asking' | 'running' | CameraProblem;

export interface Camera {
  video: RefObject<HTMLVideoElement | null>;
  state: CameraState;
  /** null where the camera has no lamp. */
  torch: { on: boolean; toggle: () => void } | null;
  /** null where there is nothing to choose from. */
  choice: { cameras: CameraChoice[]; id: string | null; choose: (id: string) => void } | null;
  retry: () => void;
}

/** The camera that this user chose on this device; it goes with the rest of them when they sign out. */
const CHOSEN = 'camera';

/** What is known of the camera that runs. */
interface Running {
  stream: MediaStream;
  torch_on: boolean | null;
  cameras: CameraChoice[];
}

/**
 * The chosen or the back camera in a video element while the screen is in sight. Hidden pages give it back: browsers
 * take it away then anyway, and nobody should be filmed by a page that he does not see. It begins when it is first not
 * `held` back: who came with a code in the address is not asked for a camera.
 */
export function useCamera(held: boolean): Camera {
  const user_id = useUser().id;
  const video = useRef<HTMLVideoElement>(null);
  const stop = useRef(() => {});
  const [state, setState] = useState<CameraState>('starting');
  const [running, setRunning] = useState<Running | null>(null);
  const visible = usePageVisible();
  const [begun, setBegun] = useState(!held);
  if (!begun && !held) setBegun(true);

  const open = useCallback(() => {
    stop.current();
    stop.current = startCamera({
      say: setState,
      show: async (stream) => {
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
    if (!visible || !begun) return;
    open();
    return () => stop.current();
  }, [visible, begun, open]);

  useEffect(() => (begun ? onCameraAllowed(open) : undefined), [begun, open]);

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
  const choose = (id: string) => void saveMetadata(CHOSEN, id, user_id).then(reopen, reopen);
  const live = state === 'running' ? running : null;
  return {
    video,
    state: begun ? state : 'held',
    torch: live && live.torch_on !== null ? { on: live.torch_on, toggle } : null,
    choice: live && live.cameras.length > 1 ? { cameras: live.cameras, id: cameraIdOf(live.stream), choose } : null,
    retry: reopen,
  };
}

interface StartActions {
  show: (stream: MediaStream) => Promise<void>;
  say: (state: CameraProblem | 'asking') => void;
}

/** Opens the camera; what it returns closes it, also when it opens only afterwards. */
function startCamera({ show, say }: StartActions): () => void {
  let stream: MediaStream | null = null;
  let settled = false;
  let wanted = true;
  if (!canHaveCamera()) {
    say('insecure');
    return () => {};
  }
  void readPermission().then((status) => {
    if (wanted && !settled && status?.state === 'prompt') say('asking');
  });
  loadMetadata(CHOSEN)
    .then((id) => openCamera(typeof id === 'string' ? id : null))
    .then(
      async (opened) => {
        settled = true;
        if (!wanted) return closeCamera(opened);
        stream = opened;
        await show(opened);
      },
      (error: unknown) => {
        settled = true;
        if (wanted) say(problemOf(error));
      },
    );
  return () => {
    wanted = false;
    if (stream) closeCamera(stream);
  };
}

/** null where the browser does not tell. */
async function readPermission(): Promise<PermissionStatus | null> {
  try {
    return await navigator.permissions.query({ name: 'camera' as PermissionName });
  } catch {
    return null;
  }
}

/** Calls back when the permission is given in the browser's settings, where the browser tells. */
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
