import { type PointerEvent, type ReactNode, useRef, useState } from 'react';
import { classes } from '#web/shared/ui/classes.ts';

export const SNAPS = ['low', 'half', 'full'] as const;
export type Snap = (typeof SNAPS)[number];

/** Share of the height that the sheet takes; `low` shows the heading, `full` leaves the search in sight. */
const SNAP_HEIGHTS: Record<Snap, string> = { low: '104px', half: '52%', full: 'calc(100% - 124px)' };

/** A flick of this many px per ms moves one step, however short it was. */
const FLICK_PX_PER_MS = 0.5;
const TAP_PX = 6;

interface BottomSheetProps {
  snap: Snap;
  onSnap: (snap: Snap) => void;
  /** What the handle does, e.g. "Show the list". */
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
 * A sheet over the map that the thumb drags by its head, or a tap or a key steps through; beside the map where there
 * is room for both.
 */
export function BottomSheet({ snap, onSnap, handle_label, header, children }: BottomSheetProps) {
  const sheet = useRef<HTMLDivElement>(null);
  const drag = useRef<Drag | null>(null);
  const [height, setHeight] = useState<number | null>(null);

  function start(event: PointerEvent): void {
    if (!event.isPrimary || event.button !== 0) return;
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
    onSnap(settle(snap, height, sheet.current?.parentElement?.clientHeight ?? 0, current.speed));
  }

  return (
    <div
      ref={sheet}
      style={{ height: height === null ? SNAP_HEIGHTS[snap] : `${height}px` }}
      className={classes(
        'absolute inset-x-0 bottom-0 z-10 flex max-h-[calc(100%-124px)] min-h-26 flex-col rounded-t-xl bg-surface shadow-high',
        'wide:static wide:z-0 wide:h-auto! wide:max-h-none wide:min-h-0 wide:rounded-none wide:bg-transparent wide:shadow-none',
        height === null && 'transition-[height] duration-300 ease-out',
      )}
    >
      <div
        onPointerDown={start}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={end}
        className="shrink-0 touch-none select-none wide:touch-auto"
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
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">{children}</div>
    </div>
  );
}

function next(snap: Snap): Snap {
  return snap === 'low' ? 'half' : snap === 'half' ? 'full' : 'low';
}

/** Where a let-go sheet comes to rest: one step on after a flick, else the nearest. */
function settle(snap: Snap, height: number, whole: number, speed: number): Snap {
  const heights: Record<Snap, number> = { low: 104, half: whole * 0.52, full: whole - 124 };
  const nearest = [...SNAPS].sort((a, b) => Math.abs(heights[a] - height) - Math.abs(heights[b] - height))[0] ?? snap;
  if (Math.abs(speed) < FLICK_PX_PER_MS || nearest !== snap) return nearest;
  return SNAPS[Math.max(0, Math.min(2, SNAPS.indexOf(snap) + Math.sign(speed)))] ?? nearest;
}
