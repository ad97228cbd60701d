import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { loadQrDetector, type QrDetector } from './qr-detector.ts';

/** Eight frames a second find a code before the hand is still, and keep the phone cool. */
const SCAN_INTERVAL_MS = 120;

/** Delay before a reader that failed to load is loaded again. */
const RELOAD_DELAY_MS = 3_000;

/**
 * Looks for codes in the video while `active`, and calls `onText` with each text. Returns false while the reader is not
 * on this device and can't be loaded.
 */
export function useQrReader(
  video: RefObject<HTMLVideoElement | null>,
  active: boolean,
  onText: (text: string) => void,
): boolean {
  const [can_read, setCanRead] = useState(true);
  const handleText = useEffectEvent(onText);
  useEffect(() => {
    if (!active) return;
    let is_active = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const scanFrame = async (detector: QrDetector) => {
      const texts = await readTexts(detector, video.current);
      if (!is_active) return;
      for (const text of texts) handleText(text);
      timer = setTimeout(() => void scanFrame(detector), SCAN_INTERVAL_MS);
    };
    const start = () => {
      loadQrDetector().then(
        (detector) => {
          if (!is_active) return;
          setCanRead(true);
          void scanFrame(detector);
        },
        () => {
          if (!is_active) return;
          setCanRead(false);
          timer = setTimeout(start, RELOAD_DELAY_MS);
        },
      );
    };
    start();
    return () => {
      is_active = false;
      clearTimeout(timer);
    };
  }, [active, video]);
  return can_read;
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
