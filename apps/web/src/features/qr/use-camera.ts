import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { type CameraProblem, canHaveCamera, closeCamera, hasTorch, openCamera, problemOf, setTorch } from './camera.ts';

export type CameraState = 'starting' | 'running' | CameraProblem;

export interface Camera {
  video: RefObject<HTMLVideoElement | null>;
  state: CameraState;
  /** null where the camera has no lamp. */
  torch: { on: boolean; toggle: () => void } | null;
  retry: () => void;
}

/**
 * The back camera in a video element while the screen is in sight. Hidden pages give it back: browsers take it away
 * then anyway, and nobody should be filmed by a page that he does not see.
 */
export function useCamera(): Camera {
  const video = useRef<HTMLVideoElement>(null);
  const stop = useRef(() => {});
  const [state, setState] = useState<CameraState>('starting');
  const [lamp, setLamp] = useState<{ stream: MediaStream; on: boolean } | null>(null);
  const visible = usePageVisible();

  const open = useCallback(() => {
    stop.current();
    stop.current = startCamera({
      fail: setState,
      show: async (stream) => {
        if (!video.current) return;
        video.current.srcObject = stream;
        await video.current.play().catch(() => {});
        setLamp(hasTorch(stream) ? { stream, on: false } : null);
        setState('running');
      },
    });
  }, []);

  useEffect(() => {
    if (!visible) return;
    open();
    return () => stop.current();
  }, [visible, open]);

  useEffect(() => onCameraAllowed(open), [open]);

  const toggle = () => {
    if (!lamp) return;
    setTorch(lamp.stream, !lamp.on).then(
      () => setLamp({ ...lamp, on: !lamp.on }),
      () => setLamp(null),
    );
  };
  return {
    video,
    state,
    torch: state === 'running' && lamp ? { on: lamp.on, toggle } : null,
    retry: () => {
      setState('starting');
      open();
    },
  };
}

interface StartActions {
  show: (stream: MediaStream) => Promise<void>;
  fail: (problem: CameraProblem) => void;
}

/** Opens the camera; what it returns closes it, also when it opens only afterwards. */
function startCamera({ show, fail }: StartActions): () => void {
  let stream: MediaStream | null = null;
  let wanted = true;
  if (!canHaveCamera()) {
    fail('insecure');
    return () => {};
  }
  openCamera().then(
    async (opened) => {
      if (!wanted) return closeCamera(opened);
      stream = opened;
      await show(opened);
    },
    (error: unknown) => {
      if (wanted) fail(problemOf(error));
    },
  );
  return () => {
    wanted = false;
    if (stream) closeCamera(stream);
  };
}

/** Calls back when the permission is given in the browser's settings, where the browser tells. */
function onCameraAllowed(listener: () => void): () => void {
  let status: PermissionStatus | null = null;
  let wanted = true;
  const changed = () => {
    if (status?.state === 'granted') listener();
  };
  navigator.permissions?.query({ name: 'camera' as PermissionName }).then(
    (found) => {
      if (!wanted) return;
      status = found;
      found.addEventListener('change', changed);
    },
    () => {},
  );
  return () => {
    wanted = false;
    status?.removeEventListener('change', changed);
  };
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
