import type { ReactNode } from 'react';
import { BrandMark } from '#web/shared/ui/BrandMark.tsx';
import { DoorScene } from './DoorScene.tsx';

interface DoorProps {
  tagline: ReactNode;
  pitch: ReactNode;
  /** Language and appearance, in the corner. */
  corner?: ReactNode;
  /** What there is to do; two buttons high. */
  children?: ReactNode;
}

/**
 * The screen in front of the app: the picture, the name, and what to do. The prerendered shell is the same without
 * its buttons, so that nothing moves when they come.
 */
export function Door({ tagline, pitch, corner, children }: DoorProps) {
  return (
    <main className="relative flex flex-1 flex-col wide:grid wide:grid-cols-[1.1fr_1fr]">
      <div className="absolute top-0 right-0 z-10 m-2 mt-[max(8px,env(safe-area-inset-top))] flex items-center rounded-full bg-page/70 backdrop-blur-md">
        {corner}
      </div>
      <div className="relative min-h-[200px] flex-1">
        <DoorScene className="absolute inset-0 size-full" />
      </div>
      <div className="mx-auto flex w-full max-w-[460px] flex-col px-6 pt-6 pb-[max(24px,env(safe-area-inset-bottom))] wide:justify-center wide:px-10">
        <div className="flex items-center gap-2.5 text-ink">
          <BrandMark size={40} />
          <p className="text-[22px] font-bold tracking-tight">Sendlap</p>
        </div>
        <h1 className="mt-4 text-[38px] leading-[1.08] font-extrabold tracking-[-0.03em] text-balance">{tagline}</h1>
        <p className="mt-3 text-[17px] text-ink-soft">{pitch}</p>
        <div className="mt-7 min-h-[124px]">{children}</div>
      </div>
    </main>
  );
}
