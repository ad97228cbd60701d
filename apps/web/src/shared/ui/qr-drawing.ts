import { encode } from 'uqr';

/** ISO/IEC 18004 asks for four light modules around a code. */
const QUIET_MODULES = 4;

export interface QrDrawing {
  /** Modules of one side, with the quiet zone. */
  size: number;
  /** ISO/IEC 18004, 1 to 40: how many modules a side has, 17 + 4 · version. */
  version: number;
  /** The dark modules as one SVG path, one unit a module. */
  path: string;
}

/** Draws a text as a QR code. Throws where it is longer than any version holds. */
export function drawQr(text: string): QrDrawing {
  // Low error correction gives the largest modules; a screen has no scratches, and free room is used for more.
  // Trying all eight masks takes seven times as long as one, on a phone more than a frame, and finds little in texts
  // that hardly repeat themselves. The code tells its reader which mask it is.
  const { size, version, data } = encode(text, { ecc: 'L', boostEcc: true, border: QUIET_MODULES, maskPattern: 0 });
  return { size, version, path: pathOf(data) };
}

/** One rectangle per run of dark modules in a row. */
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
