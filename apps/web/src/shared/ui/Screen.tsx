import { type ReactNode, use } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { classes } from './classes.ts';
import { Icon } from './icons/Icon.tsx';
import { ListLayout } from './list-layout.ts';
import { TitleBarEnd } from './title-bar-end.ts';

interface ScreenProps {
  title: string;
  /** Goes one step back; without it the title is large, as on home, ranks and profile. */
  onBack?: () => void;
  /** Buttons at the end of the title bar. */
  actions?: ReactNode;
  /** A short line under the title; with false its room stays empty, so that it comes and goes without moving anything. */
  note?: ReactNode;
  children: ReactNode;
}

/**
 * A screen: title bar, scroll area, safe areas. One `h1`, which also names the page. As a list beside the screen of one
 * of its rows it is a part of navigation, and leaves name, Back and the end of the title bar to that screen.
 */
export function Screen({ title, onBack, actions, note, children }: ScreenProps) {
  const { t } = useTranslation('shell');
  const end = use(TitleBarEnd);
  const layout = use(ListLayout);
  const is_beside = layout === 'beside';
  const Root = layout ? 'nav' : 'div';
  const Title = is_beside ? 'h2' : 'h1';
  return (
    <Root
      aria-label={layout ? title : undefined}
      className={classes('flex min-w-0 flex-1 flex-col', !layout && 'vt-screen')}
    >
      {!is_beside && <title>{`${title} · Sendlap`}</title>}
      {/* Beside the title and other buttons there is no room for a label. */}
      <header
        data-compact=""
        className={classes('@container sticky top-0 z-10 bg-page pt-safe', onBack ? 'px-1' : 'px-safe')}
      >
        <div
          className={classes(
            'relative mx-auto flex max-w-[1120px] items-center gap-x-1 @max-3xs:flex-wrap',
            onBack ? 'min-h-14 py-1' : 'min-h-18 pt-2',
            note !== undefined && 'pb-2.5',
          )}
        >
          {onBack && !is_beside && (
            <button
              type="button"
              onClick={onBack}
              aria-label={t('back')}
              className="pressable grid size-12 shrink-0 place-items-center rounded-full"
            >
              <Icon name="chevron-left" />
            </button>
          )}
          <Title
            className={classes(
              'min-w-0 flex-1 font-bold hyphens-auto wrap-break-word',
              onBack
                ? 'text-[min(1.125rem,8vw)] leading-tight @max-3xs:basis-[calc(100%-56px)]'
                : 'text-[min(1.875rem,8vw)] leading-[1.06] tracking-tight @max-3xs:basis-full @max-3xs:text-[min(1.875rem,13vw)]',
              is_beside && onBack && 'px-3',
            )}
          >
            {title}
          </Title>
          <div className="ml-auto flex shrink-0 items-center gap-1 empty:hidden">
            {actions}
            {!is_beside && end}
          </div>
          {note && <div className="pointer-events-none absolute inset-x-0 -bottom-1.5 truncate *:truncate">{note}</div>}
        </div>
      </header>
      <div className="mx-auto flex w-full max-w-[1120px] flex-1 flex-col px-safe pt-1 pb-8">{children}</div>
    </Root>
  );
}
