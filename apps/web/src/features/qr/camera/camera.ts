/** Why there is no picture. Each problem has its own fix, so each has its own text. */
export type CameraProblem = 'refused' | 'missing' | 'busy' | 'insecure' | 'failed';

/** Enough for a code at arm's length, and still fast to search. */
const SIZE = { width: { ideal: 1280 }, height: { ideal: 720 } };

/** One of several cameras; `label` is the browser's name for it, or empty. */
export interface CameraDevice {
  id: string;
  label: string;
}

/**
 * Opens the chosen camera, or the back camera if none was chosen or the chosen one is gone. Rejects with a
 * DOMException, which `toCameraProblem` reads.
 */
export async function openCamera(id: string | null): Promise<MediaStream> {
  const back = { facingMode: { ideal: 'environment' }, ...SIZE };
  if (id === null) return navigator.mediaDevices.getUserMedia({ audio: false, video: back });
  try {
    return await navigator.mediaDevices.getUserMedia({ audio: false, video: { deviceId: { exact: id }, ...SIZE } });
  } catch (error) {
    if (toCameraProblem(error) !== 'missing') throw error;
    return navigator.mediaDevices.getUserMedia({ audio: false, video: back });
  }
}

/** The cameras to choose from; browsers list them only after one was allowed. */
export async function listCameras(): Promise<CameraDevice[]> {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices
    .filter(({ kind, deviceId }) => kind === 'videoinput' && deviceId !== '')
    .map(({ deviceId, label }) => ({ id: deviceId, label }));
}

/** The id of the stream's camera; null if the browser does not tell. */
export function cameraIdOf(stream: MediaStream): string | null {
  return stream.getVideoTracks()[0]?.getSettings().deviceId ?? null;
}

/** Browsers offer cameras only on https and localhost; elsewhere they hide the whole interface. */
export function isCameraSupported(): boolean {
  return isSecureContext && navigator.mediaDevices !== undefined;
}

export function toCameraProblem(error: unknown): CameraProblem {
  switch (error instanceof Error ? error.name : '') {
    case 'NotAllowedError':
      return 'refused';
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'missing';
    case 'NotReadableError':
    case 'AbortError':
      return 'busy';
    case 'SecurityError':
      return 'insecure';
    default:
      return 'failed';
  }
}

export function closeCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** TypeScript's DOM types lack the torch (Image Capture, W3C draft). */
type TorchConstraint = { torch?: boolean };

export function hasTorch(stream: MediaStream): boolean {
  const [track] = stream.getVideoTracks();
  return (track?.getCapabilities?.() as TorchConstraint | undefined)?.torch === true;
}

export async function setTorch(stream: MediaStream, on: boolean): Promise<void> {
  const [track] = stream.getVideoTracks();
  await track?.applyConstraints({ advanced: [{ torch: on } as MediaTrackConstraintSet & TorchConstraint] });
}

/** The environments in which allowing the camera works differently. */
type BrowserKind = 'installed' | 'safari-phone' | 'safari-desktop' | 'chrome-phone' | 'firefox' | 'other';

/** Reads a User-Agent to pick the help text; nothing else may depend on it. */
export function browserKindOf(user_agent: string, facts: { installed: boolean; touch_points: number }): BrowserKind {
  if (facts.installed) return 'installed';
  // An iPad identifies as a Mac, and no Mac has a touch screen. Every browser on iOS is Safari underneath.
  const apple_phone = /iPhone|iPad|iPod/.test(user_agent) || (/Macintosh/.test(user_agent) && facts.touch_points > 1);
  if (apple_phone) return 'safari-phone';
  if (/Firefox\//.test(user_agent)) return 'firefox';
  if (/Android/.test(user_agent)) return 'chrome-phone';
  if (/Safari\//.test(user_agent) && !/Chrom(e|ium)\//.test(user_agent)) return 'safari-desktop';
  return 'other';
}
