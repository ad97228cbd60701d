import type { ReactNode } from 'react';
import { useGoBack } from '#web/shared/navigation/use-go-back.ts';
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
  return (
    <Screen title={title} onBack={useGoBack(back)} actions={actions}>
      <div className="mx-auto flex w-full max-w-[560px] flex-1 flex-col gap-4">{children}</div>
    </Screen>
  );
}
