import { type ReactNode, Suspense } from 'react';
import { useIsWide } from '#web/shared/device/use-is-wide.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { ScreenSkeleton } from '#web/shared/ui/feedback/ScreenSkeleton.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { ListLayout } from '#web/shared/ui/list-layout.ts';
import { useMountedBehindSheet } from '#web/shared/ui/sheet/open-sheets.ts';
import { ScreenBoundary } from '../errors/ScreenBoundary.tsx';
import type { SideList } from '../router/router.tsx';

export interface ShownList extends Pick<SideList, 'path' | 'fills'> {
  view: ReactNode;
}

interface ListColumnProps {
  path: string;
  list: ShownList;
  /** Nothing is chosen. */
  is_alone: boolean;
}

const COLUMN =
  'sticky top-0 flex h-dvh w-(--list-width) shrink-0 flex-col overflow-y-auto border-r border-line pb-[calc(var(--toast-room)+var(--corner-room))]';

/** The list beside the screen of one of its rows. It scrolls by itself. */
export function ListColumn({ path, list, is_alone }: ListColumnProps) {
  const is_wide = useIsWide();
  // The tablet was turned under an open sheet.
  const is_behind_sheet = useMountedBehindSheet();
  return (
    <div inert={is_behind_sheet} className={is_alone && list.fills ? 'flex min-w-0 flex-1 flex-col' : COLUMN}>
      <ListLayout value={is_wide ? (is_alone ? 'alone' : 'beside') : null}>
        {/* A boundary of its own: the screen still shows if the list fails. */}
        <ScreenBoundary path={path}>
          <Suspense fallback={<ScreenSkeleton />}>{list.view}</Suspense>
        </ScreenBoundary>
      </ListLayout>
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
