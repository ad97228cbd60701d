/** Finds the texts of the QR codes in a picture. */
export interface QrDetector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}

interface NativeDetector {
  new (options: { formats: string[] }): QrDetector;
  getSupportedFormats(): Promise<readonly string[]>;
}

const FORMAT = 'qr_code';

/**
 * The browser's own detector where it has one, else ZXing as WebAssembly from our own origin, fetched only then.
 * A browser's detector may exist and still not work (Android without Play services): at its first error it gives
 * way to ZXing for good.
 */
export async function loadQrDetector(): Promise<QrDetector> {
  const native = await findNative();
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

async function findNative(): Promise<QrDetector | null> {
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
  // Its default is a CDN, which works neither offline nor under our content security policy. Fetched here, so that a
  // missing network is an error of this call and not of every later look.
  const response = await fetch(wasm_url);
  if (!response.ok) throw new Error(`the code reader answered ${response.status}`);
  await prepareZXingModule({ overrides: { wasmBinary: await response.arrayBuffer() }, fireImmediately: true });
  return new BarcodeDetector({ formats: [FORMAT] });
}
