import type { ReactNode } from 'react';

/** A card above the navigation that asks one thing and can be sent away. */
export function CornerCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section
      aria-label={title}
      className="anim-rise fixed inset-x-3 bottom-[calc(84px+env(safe-area-inset-bottom))] z-30 mx-auto max-w-[440px] rounded-xl bg-raised p-5 shadow-high wide:right-6 wide:bottom-6 wide:left-auto wide:w-[400px]"
    >
      <h2 className="text-lg font-bold">{title}</h2>
      {children}
    </section>
  );
}
