import { unreadLabel } from '@sendlap/domain/messages.ts';
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useNow } from '#web/shared/time/use-now.ts';
import { classes } from '#web/shared/ui/classes.ts';
import { CountBubble } from '#web/shared/ui/controls/CountBubble.tsx';
import { Spinner } from '#web/shared/ui/controls/Spinner.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import type { SeenWatcher } from '../data/seen-watcher.ts';
import type { MessagesState } from '../data/use-messages.ts';
import { formatRelativeDay } from '../panel-parts/format-moment.ts';
import { RetryBar } from '../panel-parts/LoadError.tsx';
import { FailedMessage } from './FailedMessage.tsx';
import { MessageBubble } from './MessageBubble.tsx';
import type { MessageRow } from './message-rows.ts';

interface MessageListProps {
  rows: MessageRow[];
  /** The name of the other user in the chat. */
  name: string;
  /** Whether I can write in this chat. */
  can_write: boolean;
  paging: Pick<MessagesState, 'hasOlder' | 'olderFailed' | 'loadOlder' | 'isLoadingOlder'>;
  watcher: SeenWatcher;
  /** Messages that were new when the chat was opened. */
  new_count: number;
  /** Loaded messages that are currently unread. */
  unread_count: number;
  /** True if this list may replace one that showed a copy. */
  may_replace_copy: boolean;
}

/** Estimated height of a row before it is measured, px. */
const ROW_PX = 64;
/** Within this distance from its end, the list follows new messages. */
const FOLLOW_WITHIN_PX = 80;
const JUMP_FROM_PX = 240;
/** Within this distance from the oldest message, older ones are fetched. */
const LOAD_OLDER_WITHIN_PX = 600;
/**
 * With reduced motion every change takes 1 ms, which is one frame: the height would lag behind, and a scroll target
 * beyond it would be cut off.
 */
const NO_TRANSITION = 'transition-none';

/** The messages, newest at the bottom; virtualized, so only rows near the view are rendered. */
export function MessageList({ rows, name, paging, unread_count, may_replace_copy, ...row_props }: MessageListProps) {
  // The virtualizer triggers re-renders itself: its results must not be memoized.
  'use no memo';
  const { t } = useTranslation('chats');
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => rows[index]?.line.id ?? index,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: FOLLOW_WITHIN_PX,
    overscan: 10,
    paddingEnd: 12,
  });
  const is_positioned = useInitialScroll(virtualizer, rows);
  useEffect(() => {
    // The focus was in the list that this one replaces.
    if (may_replace_copy && document.activeElement === document.body) scroller.current?.focus({ preventScroll: true });
  }, [may_replace_copy]);
  useLoadOlder(virtualizer, paging, is_positioned);
  const is_scrolled_away = is_positioned && virtualizer.getDistanceFromEnd() > JUMP_FROM_PX;
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      {virtualizer.isScrolling && <StickyDay rows={rows} top={virtualizer.range?.startIndex ?? 0} />}
      {paging.olderFailed && (
        <RetryBar
          text={t('failed.loadOlder')}
          className="border-b py-1"
          onRetry={() => {
            // The button unmounts: keep the focus.
            scroller.current?.focus();
            void paging.loadOlder();
          }}
        />
      )}
      {paging.isLoadingOlder && (
        <div
          role="status"
          aria-label={t('messages.older')}
          className="absolute inset-x-0 top-2 z-10 grid place-items-center"
        >
          <Spinner size={22} />
        </div>
      )}
      <div
        ref={(element) => {
          scroller.current = element;
          // Makes the list scrollable by keyboard also in browsers that do not make scrollers focusable by themselves.
          if (element) element.tabIndex = 0;
        }}
        data-scroller
        role="log"
        aria-live="off"
        aria-label={t('messages.label', { name })}
        className="min-h-0 flex-1 overflow-x-clip overflow-y-auto overscroll-contain outline-offset-[-3px] [overflow-anchor:none]"
      >
        <div className={classes('relative w-full', NO_TRANSITION)} style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index];
            return (
              row && (
                <div
                  key={key}
                  data-index={index}
                  ref={virtualizer.measureElement}
                  className={classes('absolute inset-x-0 top-0', NO_TRANSITION)}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <MessageListRow row={row} name={name} {...row_props} />
                </div>
              )
            );
          })}
        </div>
      </div>
      {is_scrolled_away && (
        <JumpButton
          unread_count={unread_count}
          onJump={() => {
            // The button unmounts: keep the focus.
            scroller.current?.focus({ preventScroll: true });
            virtualizer.scrollToEnd();
          }}
        />
      )}
    </div>
  );
}

type MessageVirtualizer = Virtualizer<HTMLDivElement, HTMLDivElement>;

/**
 * Scrolls to the first new message, else to the end, and to the end whenever I send. Returns true once the first
 * position is set.
 */
function useInitialScroll(virtualizer: MessageVirtualizer, rows: MessageRow[]): boolean {
  const [is_positioned, setPositioned] = useState(false);
  const is_empty = rows.length === 0;
  useLayoutEffect(() => {
    if (is_empty || is_positioned) return;
    const divider = rows.findIndex(({ is_new }) => is_new);
    // New messages that all fit into the view are shown down to the end.
    const view_height_px = virtualizer.scrollElement?.clientHeight ?? 0;
    const is_long = divider >= 0 && (rows.length - divider) * ROW_PX > view_height_px;
    if (is_long) virtualizer.scrollToIndex(divider, { align: 'start' });
    else virtualizer.scrollToEnd();
    setPositioned(true);
  }, [is_empty, is_positioned, virtualizer, rows]);
  const last = rows.findLast(({ line }) => line.status !== 'failed');
  const last_mine = last?.line.mine ? last.line.id : null;
  const before = useRef(last_mine);
  useEffect(() => {
    if (last_mine !== null && before.current !== last_mine) virtualizer.scrollToEnd();
    before.current = last_mine;
  }, [last_mine, virtualizer]);
  return is_positioned;
}

/**
 * Fetches older messages when the view comes near the oldest. Reads `scrollTop` of the element, as the virtualizer's
 * offset may be stale.
 */
function useLoadOlder(
  virtualizer: MessageVirtualizer,
  paging: MessageListProps['paging'],
  is_positioned: boolean,
): void {
  const { hasOlder, olderFailed, isLoadingOlder, loadOlder } = paging;
  const element = virtualizer.scrollElement;
  const load = useEffectEvent(() => {
    if (element && element.scrollTop < LOAD_OLDER_WITHIN_PX && hasOlder && !olderFailed && !isLoadingOlder)
      loadOlder().catch(() => {});
  });
  useEffect(() => {
    if (!is_positioned || !element || isLoadingOlder) return;
    load();
    element.addEventListener('scroll', load, { passive: true });
    return () => element.removeEventListener('scroll', load);
  }, [is_positioned, element, isLoadingOlder]);
}

interface MessageListRowProps extends Pick<MessageListProps, 'name' | 'can_write' | 'watcher' | 'new_count'> {
  row: MessageRow;
}

function MessageListRow({ row, name, can_write, watcher, new_count }: MessageListRowProps) {
  const { t } = useTranslation('chats');
  return (
    <>
      {row.day !== null && (
        <div className="grid place-items-center py-2">
          <DayLabel at={row.day} />
        </div>
      )}
      {row.is_new && (
        <div className="flex items-center gap-3 px-3 py-2 text-caption font-semibold text-accent-ink before:h-px before:flex-1 before:bg-accent after:h-px after:flex-1 after:bg-accent">
          {t('messages.new', { count: new_count, label: unreadLabel(new_count) ?? '' })}
        </div>
      )}
      <MessageBubble row={row} name={name} observe={watcher.observe}>
        {row.line.status === 'failed' && <FailedMessage line={row.line} can_write={can_write} />}
      </MessageBubble>
    </>
  );
}

function DayLabel({ at }: { at: number }) {
  const locale = useLocale();
  const now = useNow(Date.now);
  return (
    <span className="rounded-full bg-sunken px-3 py-1 text-caption font-semibold text-ink-soft">
      {formatRelativeDay(at, now, locale)}
    </span>
  );
}

/** The day of the top message while its separator is out of view; shown only while scrolling, as it covers messages. */
function StickyDay({ rows, top }: { rows: MessageRow[]; top: number }) {
  const first = rows.findLast(({ day }, index) => index <= top && day !== null);
  if (first?.day == null || rows[top] === first) return null;
  return (
    <div aria-hidden="true" className="pointer-events-none absolute inset-x-0 top-2 z-10 grid place-items-center">
      <DayLabel at={first.day} />
    </div>
  );
}

/** Scrolls to the newest message; shows the number of unread ones. */
function JumpButton({ unread_count, onJump }: { unread_count: number; onJump: () => void }) {
  const { t } = useTranslation('chats');
  const label = unreadLabel(unread_count);
  const text = label
    ? `${t('messages.jump')}, ${t('messages.new', { count: unread_count, label })}`
    : t('messages.jump');
  return (
    <button
      type="button"
      aria-label={text}
      title={t('messages.jump')}
      onClick={onJump}
      className="pressable absolute right-3 bottom-3 z-10 grid size-12 place-items-center rounded-full bg-raised text-ink shadow-high ring-1 ring-line"
    >
      <Icon name="chevron-down" />
      <CountBubble count={unread_count} className="absolute -top-2 -right-1" />
    </button>
  );
}
