import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { Screen } from '#web/shared/ui/Screen.tsx';

interface ManageScreenProps {
  title: string;
  /** Where Back leads: a screen may also have been opened by its address. */
  back: string;
  children: ReactNode;
}

/** One column, as wide as a page of text. */
export function ManageScreen({ title, back, children }: ManageScreenProps) {
  const [, navigate] = useLocation();
  return (
    <Screen title={title} onBack={() => navigate(back)}>
      <div className="mx-auto flex w-full max-w-[560px] flex-1 flex-col gap-4">{children}</div>
    </Screen>
  );
}
