import { type PointerEvent, type ReactNode, useRef, useState } from 'react';
import { classes } from '#web/shared/ui/classes.ts';
import { isTight, LOW_REM, mapHeight, type SheetRoom, type Snap, snapAfterRelease } from './sheet-heights.ts';

/** Height of a resting sheet; its maximum leaves room for the search. */
function heightOf(snap: Snap, room: SheetRoom): string {
  if (snap === 'full') return `calc(100% - ${room.search + mapHeight(room)}px)`;
  return { low: `${LOW_REM}rem`, half: '52%', cover: '100%' }[snap];
}

const TAP_PX = 6;

interface BottomSheetProps {
  snap: Snap;
  onSnap: (snap: Snap) => void;
  room: SheetRoom;
  /** The action of the handle, e.g. "Show the list". */
  handle_label: string;
  header: ReactNode;
  children: ReactNode;
}

interface Drag {
  from_y: number;
  from_height: number;
  last_y: number;
  last_ms: number;
  speed: number;
}

/**
 * A sheet over the map: its head can be dragged, tapped or stepped with keys. On wide screens it is beside the map. If
 * the screen hardly fits the head, head and list scroll as one.
 */
export function BottomSheet({ snap, onSnap, room, handle_label, header, children }: BottomSheetProps) {
  const sheet = useRef<HTMLDivElement>(null);
  const drag = useRef<Drag | null>(null);
  const [height, setHeight] = useState<number | null>(null);
  const tight = isTight(room);

  function start(event: PointerEvent): void {
    if (tight || !event.isPrimary || event.button !== 0) return;
    const from_height = sheet.current?.offsetHeight ?? 0;
    drag.current = { from_y: event.clientY, from_height, last_y: event.clientY, last_ms: event.timeStamp, speed: 0 };
  }

  function move(event: PointerEvent): void {
    const current = drag.current;
    if (!current) return;
    if (height === null && Math.abs(event.clientY - current.from_y) < TAP_PX) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const passed_ms = Math.max(1, event.timeStamp - current.last_ms);
    current.speed = (current.last_y - event.clientY) / passed_ms;
    current.last_y = event.clientY;
    current.last_ms = event.timeStamp;
    setHeight(current.from_height + current.from_y - event.clientY);
  }

  function end(): void {
    const current = drag.current;
    drag.current = null;
    if (!current || height === null) return;
    setHeight(null);
    onSnap(snapAfterRelease(snap, height, room, current.speed));
  }

  return (
    <div
      ref={sheet}
      style={{
        height: height === null ? heightOf(snap, room) : `max(${height}px, ${LOW_REM}rem)`,
        maxHeight: `calc(100% - ${room.search}px)`,
      }}
      className={classes(
        'absolute inset-x-0 bottom-0 z-10 flex flex-col rounded-t-xl bg-surface shadow-high',
        'wide:static wide:z-0 wide:h-auto! wide:max-h-none! wide:min-h-0 wide:rounded-none wide:bg-transparent wide:shadow-none',
        tight && 'overflow-y-auto overscroll-contain',
        height === null && 'transition-[height] duration-300 ease-out',
      )}
    >
      <div
        onPointerDown={start}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={end}
        className={classes('shrink-0 select-none', !tight && 'touch-none wide:touch-auto')}
      >
        <button
          type="button"
          aria-label={handle_label}
          aria-expanded={snap !== 'low'}
          onClick={() => onSnap(next(snap))}
          className="mx-auto grid h-7 w-24 place-items-center rounded-full wide:hidden"
        >
          <span className="h-1.5 w-10 rounded-full bg-line" />
        </button>
        {header}
      </div>
      <div className={tight ? 'shrink-0' : 'min-h-0 flex-1 overflow-y-auto overscroll-contain'}>{children}</div>
    </div>
  );
}

function next(snap: Snap): Snap {
  return ({ low: 'half', half: 'full', full: 'low', cover: 'half' } as const)[snap];
}
