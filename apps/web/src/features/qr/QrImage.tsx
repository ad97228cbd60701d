import { encode } from 'uqr';

/** ISO/IEC 18004 asks for four light modules around a code. */
const QUIET_MODULES = 4;

interface QrImageProps {
  text: string;
  /** What it is, for those who don't see it. */
  label: string;
  className?: string;
}

/** A QR code as one crisp path; black on white in every theme, because many scanners do not read it inverted. */
export function QrImage({ text, label, className }: QrImageProps) {
  // Low error correction gives the largest modules; a screen has no scratches, and free room is used for more.
  const { size, data } = encode(text, { ecc: 'L', boostEcc: true, border: QUIET_MODULES });
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
      className={className}
    >
      <path className="fill-white" d={`M0 0h${size}v${size}H0z`} />
      <path className="fill-black" d={pathOf(data)} />
    </svg>
  );
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
