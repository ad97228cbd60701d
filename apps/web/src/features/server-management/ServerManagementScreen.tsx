import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { Screen } from '#web/shared/ui/Screen.tsx';

interface ServerManagementScreenProps {
  title: string;
  /** Where Back leads if the screen was opened by its address. */
  back: string;
  /** Buttons at the end of the title bar. */
  actions?: ReactNode;
  children: ReactNode;
}

/** One column, as wide as a page of text. */
export function ServerManagementScreen({ title, back, actions, children }: ServerManagementScreenProps) {
  const [, navigate] = useLocation();
  return (
    <Screen title={title} onBack={() => (history.length > 1 ? history.back() : navigate(back))} actions={actions}>
      <div className="mx-auto flex w-full max-w-[560px] flex-1 flex-col gap-4">{children}</div>
    </Screen>
  );
}
