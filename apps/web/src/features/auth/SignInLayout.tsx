import type { ReactNode } from 'react';
import { BrandMark } from '#web/shared/ui/BrandMark.tsx';
import { classes } from '#web/shared/ui/classes.ts';
import { SignInHero } from './SignInHero.tsx';

interface SignInLayoutProps {
  tagline: ReactNode;
  pitch: ReactNode;
  /** Beside the app's name. */
  server_name?: ReactNode;
  /** Language and appearance, in the corner. */
  corner?: ReactNode;
  /** Shrinks the picture to a strip and the text to the heading, to leave room for `children`. */
  is_compact?: boolean;
  /** The actions; three buttons high. */
  children?: ReactNode;
}

/**
 * The layout of the screens before sign-in: picture, name and actions, side by side in a wide window and on a phone that
 * is turned, where a strip would cut the picture's summit. The prerendered shell is the same without the buttons, so that
 * nothing moves when they appear.
 */
export function SignInLayout({ tagline, pitch, server_name, corner, is_compact = false, children }: SignInLayoutProps) {
  return (
    <main className="relative flex flex-1 flex-col wide:grid wide:grid-cols-[1.1fr_1fr] sm:landscape:grid sm:landscape:grid-cols-[1.1fr_1fr]">
      <div className="absolute top-0 right-0 z-10 m-2 mt-[max(8px,env(safe-area-inset-top))] flex items-center rounded-full bg-page">
        {corner}
      </div>
      <div
        className={classes('relative', is_compact ? 'h-24 wide:h-auto sm:landscape:h-auto' : 'min-h-[200px] flex-1')}
      >
        <SignInHero className="absolute inset-0 size-full" />
      </div>
      <div
        className={classes(
          'mx-auto flex w-full max-w-[460px] flex-col px-6 pt-6 pb-[max(24px,env(safe-area-inset-bottom))] wide:px-10',
          is_compact ? 'wide:pt-[8dvh]' : 'wide:pt-[22dvh]',
        )}
      >
        <div className="flex items-center gap-2.5 text-ink">
          <BrandMark size={40} />
          <p className="text-heading font-bold tracking-tight">Sendlap</p>
          <p className="min-w-0 flex-1 wrap-break-word text-body leading-tight text-ink-soft">{server_name}</p>
        </div>
        <h1
          className={classes(
            'font-extrabold tracking-[-0.03em] text-balance hyphens-auto leading-[1.08] wrap-break-word',
            is_compact ? 'mt-3 text-[min(1.5rem,11.5vw)]' : 'mt-4 text-[min(2.375rem,11.5vw)]',
          )}
        >
          {tagline}
        </h1>
        {!is_compact && <p className="mt-3 text-body text-ink-soft">{pitch}</p>}
        <div className={is_compact ? 'mt-5' : 'mt-7 min-h-[176px]'}>{children}</div>
      </div>
    </main>
  );
}
