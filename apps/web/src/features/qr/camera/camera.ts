/** Why there is no picture. Each has its own way out, so each has its own words. */
export type CameraProblem = 'refused' | 'missing' | 'busy' | 'insecure' | 'failed';

/** Enough for a code held at arm's length, and still quick to search. */
const SIZE = { width: { ideal: 1280 }, height: { ideal: 720 } };

/** One of several cameras; `label` is the browser's own name for it, empty where it tells none. */
export interface CameraChoice {
  id: string;
  label: string;
}

/**
 * Opens the camera that was chosen, or the one at the back; a chosen one that is gone gives way to it. Rejects with a
 * DOMException, which `problemOf` reads.
 */
export async function openCamera(id: string | null): Promise<MediaStream> {
  const back = { facingMode: { ideal: 'environment' }, ...SIZE };
  if (id === null) return navigator.mediaDevices.getUserMedia({ audio: false, video: back });
  try {
    return await navigator.mediaDevices.getUserMedia({ audio: false, video: { deviceId: { exact: id }, ...SIZE } });
  } catch (error) {
    if (problemOf(error) !== 'missing') throw error;
    return navigator.mediaDevices.getUserMedia({ audio: false, video: back });
  }
}

/** The cameras to choose from; browsers tell them only once one was allowed. */
export async function listCameras(): Promise<CameraChoice[]> {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices
    .filter(({ kind, deviceId }) => kind === 'videoinput' && deviceId !== '')
    .map(({ deviceId, label }) => ({ id: deviceId, label }));
}

/** Which camera it is, null where the browser does not say. */
export function cameraIdOf(stream: MediaStream): string | null {
  return stream.getVideoTracks()[0]?.getSettings().deviceId ?? null;
}

/** Browsers give cameras to https and localhost only, and then hide the whole interface. */
export function canHaveCamera(): boolean {
  return isSecureContext && navigator.mediaDevices !== undefined;
}

export function problemOf(error: unknown): CameraProblem {
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

/** TypeScript's DOM types do not know the lamp (Image Capture, W3C draft). */
type Lamp = { torch?: boolean };

export function hasTorch(stream: MediaStream): boolean {
  const [track] = stream.getVideoTracks();
  return (track?.getCapabilities?.() as Lamp | undefined)?.torch === true;
}

export async function setTorch(stream: MediaStream, on: boolean): Promise<void> {
  const [track] = stream.getVideoTracks();
  await track?.applyConstraints({ advanced: [{ torch: on } as MediaTrackConstraintSet & Lamp] });
}

/** Where the way to allow the camera differs. */
type BrowserKind = 'installed' | 'safari-phone' | 'safari-desktop' | 'chrome-phone' | 'firefox' | 'other';

/** Reads a User-Agent for the words of the help only; nothing else may depend on it. */
export function browserKindOf(user_agent: string, facts: { installed: boolean; touch_points: number }): BrowserKind {
  if (facts.installed) return 'installed';
  // An iPad says that it is a Mac, and no Mac has a touch screen. Every browser there is Safari underneath.
  const apple_phone = /iPhone|iPad|iPod/.test(user_agent) || (/Macintosh/.test(user_agent) && facts.touch_points > 1);
  if (apple_phone) return 'safari-phone';
  if (/Firefox\//.test(user_agent)) return 'firefox';
  if (/Android/.test(user_agent)) return 'chrome-phone';
  if (/Safari\//.test(user_agent) && !/Chrom(e|ium)\//.test(user_agent)) return 'safari-desktop';
  return 'other';
}
