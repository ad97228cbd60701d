import { type ReactNode, Suspense } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { ScreenSkeleton } from '#web/shared/ui/feedback/ScreenSkeleton.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { ListPlace } from '#web/shared/ui/list-place.ts';
import { ScreenBoundary } from '../errors/ScreenBoundary.tsx';

interface ListColumnProps {
  path: string;
  /** Nothing is chosen. */
  is_alone: boolean;
  children: ReactNode;
}

/** The list beside the screen of one of its rows, with a scroller of its own. */
export function ListColumn({ path, is_alone, children }: ListColumnProps) {
  return (
    <div className="sticky top-0 flex h-dvh w-[clamp(320px,34%,420px)] shrink-0 flex-col overflow-y-auto border-r border-line pb-[calc(var(--toast-room)+var(--corner-room))]">
      <ListPlace value={is_alone ? 'alone' : 'beside'}>
        {/* Of its own, so that the screen shows without the list. */}
        <ScreenBoundary path={path}>
          <Suspense fallback={<ScreenSkeleton />}>{children}</Suspense>
        </ScreenBoundary>
      </ListPlace>
    </div>
  );
}

/** In place of a screen beside its list. */
export function NothingChosen() {
  const { t } = useTranslation('shell');
  return (
    <div className="sticky top-0 flex h-dvh min-w-0 flex-1 flex-col items-center justify-center gap-3 p-6 text-center text-ink-soft">
      <Icon name="list" size={40} />
      <p>{t('nothingChosen')}</p>
    </div>
  );
}
