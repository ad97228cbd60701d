/** Finds the texts of the QR codes in a picture. */
export interface QrDetector {
  detect(source: HTMLVideoElement | ImageBitmap): Promise<{ rawValue: string }[]>;
}

interface NativeDetector {
  new (options: { formats: string[] }): QrDetector;
  getSupportedFormats(): Promise<readonly string[]>;
}

const FORMAT = 'qr_code';
/** A photo has many times the pixels that a code needs: a smaller copy is read first, which is fast. */
const FIRST_PASS_SIDE_PX = 1_600;

/**
 * The browser's own detector if it has one, else ZXing as WebAssembly from our own origin, loaded only then. A
 * browser's detector may exist and still not work (Android without Play services): at its first error, ZXing replaces
 * it for good.
 */
export async function loadQrDetector(): Promise<QrDetector> {
  const native = await createNativeDetector();
  if (!native) return loadZxing();
  let current = native;
  return {
    async detect(source) {
      try {
        return await current.detect(source);
      } catch (error) {
        if (current !== native) throw error;
        current = await loadZxing();
        return current.detect(source);
      }
    },
  };
}

/**
 * The texts of the codes in an image file; empty without a code. Rejects if the file is not an image, or without a
 * detector.
 */
export async function readCodesFromPicture(file: Blob): Promise<string[]> {
  const [detector, bitmap] = await Promise.all([loadQrDetector(), createImageBitmap(file)]);
  try {
    const longest = Math.max(bitmap.width, bitmap.height);
    if (longest > FIRST_PASS_SIDE_PX) {
      const scale = FIRST_PASS_SIDE_PX / longest;
      const size = { resizeWidth: Math.round(bitmap.width * scale), resizeHeight: Math.round(bitmap.height * scale) };
      const small = await createImageBitmap(bitmap, { ...size, resizeQuality: 'medium' });
      const quick = await detectTexts(detector, small).finally(() => small.close());
      if (quick.length > 0) return quick;
    }
    return await detectTexts(detector, bitmap);
  } finally {
    bitmap.close();
  }
}

async function detectTexts(detector: QrDetector, picture: ImageBitmap): Promise<string[]> {
  return (await detector.detect(picture)).map(({ rawValue }) => rawValue);
}

async function createNativeDetector(): Promise<QrDetector | null> {
  const { BarcodeDetector: Native } = globalThis as { BarcodeDetector?: NativeDetector };
  if (!Native) return null;
  const formats = await Native.getSupportedFormats().catch((): readonly string[] => []);
  return formats.includes(FORMAT) ? new Native({ formats: [FORMAT] }) : null;
}

async function loadZxing(): Promise<QrDetector> {
  const [{ BarcodeDetector, prepareZXingModule }, { default: wasm_url }] = await Promise.all([
    import('barcode-detector/ponyfill'),
    import('zxing-wasm/reader/zxing_reader.wasm?url'),
  ]);
  // ZXing's default URL is a CDN, which works neither offline nor under our content security policy. Fetched here, so
  // that a network failure is an error of this call and not of every later detection.
  const response = await fetch(wasm_url);
  if (!response.ok) throw new Error(`the code reader answered ${response.status}`);
  await prepareZXingModule({ overrides: { wasmBinary: await response.arrayBuffer() }, fireImmediately: true });
  return new BarcodeDetector({ formats: [FORMAT] });
}
