/** After this time the browser's detector counts as one that does not work. */
const TRIAL_TIMEOUT_MS = 3_000;
const FORMAT = 'qr_code';

interface Detector {
  new (options: { formats: string[] }): { detect(picture: ImageData): Promise<unknown> };
  getSupportedFormats(): Promise<readonly string[]>;
}

/**
 * Whether this browser reads QR codes by itself. Tried out on an empty picture: a detector may exist and still not work
 * (Android without Play services).
 */
export async function canReadCodes(scope: object): Promise<boolean> {
  const { BarcodeDetector } = scope as { BarcodeDetector?: Detector };
  if (!BarcodeDetector) return false;
  const trial = async () => {
    if (!(await BarcodeDetector.getSupportedFormats()).includes(FORMAT)) return false;
    await new BarcodeDetector({ formats: [FORMAT] }).detect(new ImageData(8, 8));
    return true;
  };
  const timeout = new Promise<false>((resolve) => setTimeout(() => resolve(false), TRIAL_TIMEOUT_MS));
  return Promise.race([trial().catch(() => false), timeout]);
}
