import { type Band, type Box, leavesRoom, placeBubble, type Size, scrollToMakeRoom } from './place-bubble.ts';

/** The bubble of a step before it is drawn, of the longest text on the smallest phone. */
const EXPECTED_REM: Size = { width: 18.5, height: 17 };

/** Returns the target, or the drawing in it if the whole leaves no room for the bubble; null if it is not there. */
export function findTarget(selector: string): Element | null {
  const target = document.querySelector(selector);
  if (!target || leavesRoom(boxOf(target), expectedSize(), viewSize(), barlessBand())) return target;
  return target.querySelector('svg')?.parentElement ?? target;
}

/**
 * Keeps the bubble off the lit element, which the library covers if there is no room beside it. `findLit` returns that
 * element; null: the step has none, and the bubble is in the middle.
 */
export function createBubblePlacer(findLit: () => Element | null) {
  let bubble: HTMLElement | null = null;
  let frame = 0;

  function place(scroll: boolean): void {
    const lit = findLit();
    if (!bubble || !lit) return;
    if (scroll) makeRoom(lit, sizeOf(bubble));
    putBubble(bubble, lit);
  }

  /** Runs after the library, which places the bubble in the next frame. */
  function follow({ type }: Event): void {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => place(type === 'resize'));
  }

  return {
    /** Scrolls before the bubble is there, so that the page does not jump when it comes. */
    prepare: (lit: Element | undefined) => lit && makeRoom(lit, expectedSize()),
    /** The bubble of this step; the library places it in the same turn. */
    show(shown: HTMLElement): void {
      bubble = shown;
      queueMicrotask(() => place(true));
    },
    /** To be called after the library listens. */
    start(): void {
      addEventListener('resize', follow);
      addEventListener('scroll', follow);
    },
    end(): void {
      removeEventListener('resize', follow);
      removeEventListener('scroll', follow);
      cancelAnimationFrame(frame);
    },
  };
}

/** Scrolls the page so that a bubble of this size can be beside the target. */
function makeRoom(target: Element, bubble: Size): void {
  // A bar does not scroll.
  if (target.closest('header, nav')) return;
  const by = scrollToMakeRoom(boxOf(target), bubble, viewSize(), barlessBand());
  if (by !== 0) scrollTo({ top: scrollY + by, behavior: 'instant' });
}

function putBubble(bubble: HTMLElement, target: Element): void {
  const { left, top, max_height } = placeBubble(boxOf(target), sizeOf(bubble), viewSize());
  Object.assign(bubble.style, {
    left: `${Math.round(left)}px`,
    top: `${Math.round(top)}px`,
    right: 'auto',
    bottom: 'auto',
    maxHeight: `${Math.floor(max_height)}px`,
  });
}

function boxOf(element: Element): Box {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { left, top, width, height };
}

/** The size of the whole text, also of one that scrolls. */
function sizeOf(bubble: HTMLElement): Size {
  return { width: bubble.offsetWidth, height: bubble.scrollHeight };
}

function expectedSize(): Size {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
  return { width: EXPECTED_REM.width * rem, height: EXPECTED_REM.height * rem };
}

function viewSize(): Size {
  return { width: document.documentElement.clientWidth, height: innerHeight };
}

function barlessBand(): Band {
  const header = document.querySelector('main header')?.getBoundingClientRect();
  const navigation = document.querySelector('nav')?.getBoundingClientRect();
  // A rail is as high as the screen and begins at its top.
  const bottom = navigation && navigation.top > innerHeight / 2 ? navigation.top : innerHeight;
  return { top: Math.max(0, header?.bottom ?? 0), bottom };
}
