import { SPORT_FILLS } from '#web/shared/sports/sport-tones.ts';
import { classes } from '../classes.ts';
import { Icon } from '../icons/Icon.tsx';
import type { IconName } from '../icons/icon-paths.ts';

/**
 * Classes of a link or button of the navigation: icon above the label in the bottom bar, beside it in the side rail.
 */
export function navigationItemClasses(is_current: boolean): string {
  return classes(
    'pressable group relative flex h-(--nav-height) w-full flex-col items-center justify-center gap-1 text-center text-[min(0.75rem,3.4vw)] whitespace-nowrap outline-offset-[-4px]',
    'wide:h-14 wide:flex-row wide:justify-start wide:gap-3 wide:rounded-lg wide:px-3 wide:text-left wide:text-body',
    is_current ? 'font-bold text-accent-ink wide:bg-accent-tint' : 'font-medium text-ink-soft',
  );
}

const ACTIONS = { accent: 'bg-accent text-on-accent', ...SPORT_FILLS };

/** The icon of the action in the middle of the navigation: what the user does next. */
export function ActionIcon({ name, tone }: { name: IconName; tone: keyof typeof ACTIONS }) {
  return (
    <span
      className={classes(
        '-mt-2 grid h-10 w-16 max-w-full shrink-0 place-items-center rounded-full wide:-mx-1 wide:mt-0 wide:w-10',
        ACTIONS[tone],
      )}
    >
      <Icon name={name} />
    </span>
  );
}

/** The icon of a navigation item, in a pill if it is the current one. */
export function NavigationIcon({ name, is_current }: { name: IconName; is_current: boolean }) {
  return (
    <span
      className={classes(
        'grid h-8 w-16 max-w-full shrink-0 place-items-center rounded-full transition-colors wide:w-8',
        is_current && 'bg-accent-tint wide:bg-transparent',
      )}
    >
      <Icon name={name} />
    </span>
  );
}
