import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { loadQrDetector, type QrDetector } from './qr-detector.ts';

/** Eight frames a second find a code before the hand is still, and keep the phone cool. */
const LOOK_EVERY_MS = 120;

/** Delay before a reader that failed to load is loaded again. */
const FETCH_AGAIN_MS = 3_000;

/**
 * Looks for codes in the video while `active`, and calls `onText` with each text. Returns false while the reader is not
 * on this device and can't be loaded.
 */
export function useQrReader(
  video: RefObject<HTMLVideoElement | null>,
  active: boolean,
  onText: (text: string) => void,
): boolean {
  const [readable, setReadable] = useState(true);
  const found = useEffectEvent(onText);
  useEffect(() => {
    if (!active) return;
    let wanted = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async (detector: QrDetector) => {
      const texts = await readTexts(detector, video.current);
      if (!wanted) return;
      for (const text of texts) found(text);
      timer = setTimeout(() => void look(detector), LOOK_EVERY_MS);
    };
    const begin = () => {
      loadQrDetector().then(
        (detector) => {
          if (!wanted) return;
          setReadable(true);
          void look(detector);
        },
        () => {
          if (!wanted) return;
          setReadable(false);
          timer = setTimeout(begin, FETCH_AGAIN_MS);
        },
      );
    };
    begin();
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [active, video]);
  return readable;
}

async function readTexts(detector: QrDetector, video: HTMLVideoElement | null): Promise<string[]> {
  if (!video || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA || video.videoWidth === 0) return [];
  try {
    return (await detector.detect(video)).map((code) => code.rawValue);
  } catch {
    // A frame that vanished while it was read (the camera was just closed) must not stop the loop.
    return [];
  }
}
