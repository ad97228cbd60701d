import { type ReactNode, useId } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { classes } from '#web/shared/ui/classes.ts';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { useRetainedFocus } from '#web/shared/ui/use-retained-focus.ts';

const STEPS = 5;

interface StepCardProps {
  number: number;
  title: string;
  is_done?: boolean;
  children: ReactNode;
}

/** One step of the set-up, with its number until it is done. Its heading gets the focus of a removed button. */
export function StepCard({ number, title, is_done = false, children }: StepCardProps) {
  const { t } = useTranslation('setup');
  const id = useId();
  const heading = useRetainedFocus<HTMLHeadingElement>('section');
  return (
    <Card as="section" aria-labelledby={id} className="flex flex-col gap-3">
      <div className="flex items-center gap-3">
        <span
          role="img"
          aria-label={is_done ? t('done') : t('step', { number, count: STEPS })}
          className={classes(
            'figures grid size-9 shrink-0 place-items-center rounded-full font-bold',
            is_done ? 'bg-accent text-on-accent' : 'bg-accent-tint text-accent-ink',
          )}
        >
          {is_done ? <Icon name="check" size={20} /> : number}
        </span>
        <h2 ref={heading} id={id} tabIndex={-1} className="min-w-0 text-lg font-bold wrap-anywhere outline-none">
          {title}
        </h2>
      </div>
      {children}
    </Card>
  );
}
