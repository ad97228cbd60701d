import type { BadgeId } from '@sendlap/domain/progress/badges.ts';
import { classes } from '#web/shared/ui/classes.ts';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { BADGE_LOOKS, tierOf } from './badge-families.ts';

const SIZES = { md: 'size-14 text-sm', lg: 'size-36 text-figure' };
const ICON_PX = { md: [20, 26], lg: [48, 68] } as const;

/** Its corners are rounded by the stroke, which has the colour of the face. */
const HEXAGON = 'M32 7 53.65 19.5v25L32 57 10.35 44.5v-25z';

interface MedalProps {
  id: BadgeId;
  earned: boolean;
  size?: keyof typeof SIZES;
}

/** Gold once the badge is earned, grey before. Decorative: the badge's name is beside it. */
export function Medal({ id, earned, size = 'md' }: MedalProps) {
  const tier = tierOf(id);
  const [small, large] = ICON_PX[size];
  return (
    <span
      aria-hidden="true"
      className={classes(
        'relative grid shrink-0 place-items-center',
        SIZES[size],
        earned ? 'text-on-gold' : 'text-ink-faint',
      )}
    >
      <svg viewBox="0 0 64 64" className="absolute inset-0 size-full" aria-hidden="true">
        <path
          d={HEXAGON}
          strokeWidth={10}
          strokeLinejoin="round"
          className={earned ? 'fill-gold stroke-gold' : 'fill-sunken stroke-sunken'}
        />
        {earned && (
          <path d={HEXAGON} fill="none" strokeWidth={1.5} strokeLinejoin="round" className="stroke-on-gold/25" />
        )}
      </svg>
      <span className="relative flex flex-col items-center leading-none">
        <Icon name={BADGE_LOOKS[id].icon} size={tier ? small : large} />
        {tier && <span className="figures font-extrabold">{tier}</span>}
      </span>
    </span>
  );
}
