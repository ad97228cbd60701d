import { drawQr } from './qr-drawing.ts';

interface QrImageProps {
  text: string;
  /** Text for screen readers. */
  label: string;
  className?: string;
}

/** A QR code as one sharp path; black on white in every theme, because many scanners cannot read inverted codes. */
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
