import type { IconName } from './icon-paths.ts';
import { iconPaths } from './icon-set.ts';

interface IconProps {
  name: IconName;
  /** px; 24 by default. */
  size?: number;
  className?: string;
}

/** A decorative line icon in the colour of its text. A button with only an icon needs its own accessible name. */
export function Icon({ name, size = 24, className }: IconProps) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
      className={className}
    >
      {iconPaths(name).map((path) =>
        path.endsWith('!') ? (
          <path key={path} d={path.slice(0, -1)} fill="currentColor" />
        ) : (
          <path key={path} d={path} />
        ),
      )}
    </svg>
  );
}
