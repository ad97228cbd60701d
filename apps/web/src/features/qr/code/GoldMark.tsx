import type { CSSProperties } from 'react';
import { classes } from '#web/shared/ui/classes.ts';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import type { IconName } from '#web/shared/ui/icons/icon-paths.ts';
import '../celebration.css';

const FLECKS = 12;
const FLECK_TONES = ['bg-gold', 'bg-climb', 'bg-swim'];

interface GoldMarkProps {
  icon: IconName;
  /** Plays the confetti once; otherwise the disc is static. */
  burst: boolean;
}

/** The gold disc of a confirmation. Decorative: the text is below it. */
export function GoldMark({ icon, burst }: GoldMarkProps) {
  return (
    <div aria-hidden="true" className="relative grid size-32 place-items-center">
      {burst && <span className="qr-burst absolute inset-0 rounded-full bg-gold/40" />}
      {burst && (
        <span className="qr-burst absolute inset-0 rounded-full bg-gold/30" style={{ animationDelay: '160ms' }} />
      )}
      {burst &&
        Array.from({ length: FLECKS }, (_, index) => `${(index * 360) / FLECKS}deg`).map((turn, index) => (
          <span
            key={turn}
            className={classes('qr-fleck absolute h-4 w-1.5 rounded-full', FLECK_TONES[index % FLECK_TONES.length])}
            style={{ '--turn': turn } as CSSProperties}
          />
        ))}
      <span className={classes('grid size-32 place-items-center rounded-full bg-gold text-on-gold', burst && 'qr-pop')}>
        <Icon name={icon} size={68} />
      </span>
    </div>
  );
}
