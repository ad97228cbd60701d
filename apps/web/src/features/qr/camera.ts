/** Why there is no picture. Each has its own way out, so each has its own words. */
export type CameraProblem = 'refused' | 'missing' | 'busy' | 'insecure' | 'failed';

/** Enough for a code held at arm's length, and still quick to search. */
const WANTED: MediaStreamConstraints = {
  audio: false,
  video: { facingMode: { ideal: 'environment' }, width: { ideal: 1280 }, height: { ideal: 720 } },
};

/** Rejects with a DOMException, which `problemOf` reads. */
export async function openCamera(): Promise<MediaStream> {
  return navigator.mediaDevices.getUserMedia(WANTED);
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
