import { encode } from 'uqr';

/** ISO/IEC 18004 requires four light modules around a code. */
export const QUIET_MODULES = 4;

export interface QrDrawing {
  /** Modules per side, including the quiet zone. */
  size: number;
  /** ISO/IEC 18004, 1 to 40: a side has 17 + 4 · version modules. */
  version: number;
  /** The dark modules as one SVG path, one unit per module. */
  path: string;
}

/** Draws a text as a QR code. Throws if it is longer than any version holds. */
export function drawQr(text: string): QrDrawing {
  // Low error correction makes the modules largest: a screen has no scratches, and spare room raises the level. Trying
  // all eight masks takes seven times as long as one, on a phone more than a frame, and gains little for texts that
  // hardly repeat themselves. The code itself tells the reader its mask.
  const { size, version, data } = encode(text, { ecc: 'L', boostEcc: true, border: QUIET_MODULES, maskPattern: 0 });
  return { size, version, path: pathOf(data) };
}

/** One rectangle per horizontal run of dark modules. */
function pathOf(rows: boolean[][]): string {
  let path = '';
  for (const [y, row] of rows.entries()) {
    for (let x = 0; x < row.length; x += 1) {
      if (!row[x]) continue;
      const from = x;
      while (row[x + 1]) x += 1;
      path += `M${from} ${y}h${x + 1 - from}v1H${from}z`;
    }
  }
  return path;
}
