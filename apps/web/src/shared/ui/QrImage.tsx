import { drawQr } from './qr-drawing.ts';

interface QrImageProps {
  text: string;
  /** What it is, for those who don't see it. */
  label: string;
  className?: string;
}

/** A QR code as one crisp path; black on white in every theme, because many scanners do not read it inverted. */
export function QrImage({ text, label, className }: QrImageProps) {
  const { size, path } = drawQr(text);
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
      className={className}
    >
      <path className="fill-white" d={`M0 0h${size}v${size}H0z`} />
      <path className="fill-black" d={path} />
    </svg>
  );
}
