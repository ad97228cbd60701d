import type { SportCenter } from '@sendlap/contract/sport-centers.ts';
import { classes } from '#web/shared/ui/classes.ts';
import { Icon } from '#web/shared/ui/Icon.tsx';

/** The sports of a center as one picture: warm for climbing, aqua for swimming, half and half for both. */
export function SportTile({ center, size = 48 }: { center: SportCenter; size?: 48 | 64 }) {
  const types = center.sport_facilities.map(({ type }) => type);
  const isBoth = types.length > 1;
  const icon = isBoth ? size * 0.42 : size * 0.5;
  return (
    <span
      aria-hidden="true"
      className={classes('flex shrink-0 overflow-hidden rounded-md', size === 64 ? 'size-16' : 'size-12')}
    >
      {types.includes('climbing') && (
        <span className="grid flex-1 place-items-center bg-climb-tint text-climb-ink">
          <Icon name="mountain" size={icon} />
        </span>
      )}
      {types.includes('swimming') && (
        <span className="grid flex-1 place-items-center bg-swim-tint text-swim-ink">
          <Icon name="wave" size={icon} />
        </span>
      )}
    </span>
  );
}
