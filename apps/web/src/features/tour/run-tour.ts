import { type DriveStep, driver, type PopoverDOM } from 'driver.js';
import 'driver.js/dist/driver.css';
import type { Translate } from '#web/shared/i18n/texts.ts';
import { LATE_TARGET, TOUR_STEPS } from './tour-steps.ts';
import './tour.css';

interface TourOptions {
  t: Translate<'tour'>;
  /** The step to begin with, from 0. */
  from: number;
  onStep: (step: number) => void;
  /** `is_over`: from the last step; else somebody left on the way. Not called by what `runTour` gives. */
  onEnd: (is_over: boolean) => void;
}

/** From here on the navigation is a rail at the side. */
const WIDE = '(min-width: 900px)';
const MOTION_MS = 280;
/** What may come late is given so long before its step does without it. */
const WAIT_MS = 1_500;

/**
 * Leads through the home screen, which nothing else can touch meanwhile. Arrow keys go on and back, Escape leaves.
 * Gives the way to end it from outside.
 */
export function runTour({ t, from, onStep, onEnd }: TourOptions): () => void {
  const root = document.getElementById('root');
  const before = document.activeElement;
  // The library loses its place, and ends, when the next key comes before a step is drawn.
  let at = from;
  const tour = driver({
    steps: TOUR_STEPS.map(({ target }, index) => toStep(target, index)),
    animate: !matchMedia('(prefers-reduced-motion: reduce)').matches,
    duration: MOTION_MS,
    overlayOpacity: 0.6,
    stageRadius: 16,
    stagePadding: 6,
    showProgress: true,
    disableActiveInteraction: true,
    allowKeyboardControl: false,
    // A finger that slips beside a button does not end it.
    overlayClickBehavior: () => {},
    onHighlighted: stayPlain,
    onPopoverRender: (popover, { index = 0 }) => {
      fillPopover(popover, t, index);
      onStep(index);
    },
    onNextClick: () => go(at + 1),
    onPrevClick: () => go(at - 1),
    onCloseClick: () => leave(false),
    onDestroyStarted: () => {},
  });

  function go(to: number): void {
    if (to >= TOUR_STEPS.length) leave(true);
    else if (to >= 0) {
      at = to;
      tour.moveTo(to);
    }
  }

  function leave(is_over: boolean): void {
    end();
    onEnd(is_over);
  }

  function onKey({ key }: KeyboardEvent): void {
    if (key === 'ArrowRight') go(at + 1);
    else if (key === 'ArrowLeft') go(at - 1);
    else if (key === 'Escape') leave(at === TOUR_STEPS.length - 1);
  }

  function end(): void {
    removeEventListener('keyup', onKey);
    tour.destroy();
    if (root) root.inert = false;
    if (before instanceof HTMLElement && before.isConnected) before.focus();
  }

  if (root) root.inert = true;
  addEventListener('keyup', onKey);
  tour.drive(from);
  return end;
}

function toStep(target: string | null, index: number): DriveStep {
  // All texts are set by `fillPopover`, as text: what is given here would be read as HTML.
  const side = matchMedia(WIDE).matches ? 'right' : 'top';
  const popover = { side, align: 'center', progressText: String(index + 1) } as const;
  if (!target) return { popover };
  // Whoever goes on meanwhile would begin the wait anew, so nothing waits for what does not come.
  return { element: `[data-tour="${target}"]`, waitForElement: target === LATE_TARGET ? WAIT_MS : 0, popover };
}

/** The library calls what it points at a button with a pop-up, which neither a card nor the middle of the screen is. */
function stayPlain(): void {
  const element = document.querySelector('.driver-active-element');
  for (const name of ['aria-haspopup', 'aria-expanded', 'aria-controls']) element?.removeAttribute(name);
}

function fillPopover(popover: PopoverDOM, t: Translate<'tour'>, index: number): void {
  const step = TOUR_STEPS[index];
  if (!step) return;
  const { wrapper, title, description, footer, progress, closeButton, previousButton, nextButton } = popover;
  const is_last = index === TOUR_STEPS.length - 1;
  wrapper.setAttribute('aria-modal', 'true');
  // Its header and footer would count as those of the whole page.
  for (const part of [title, footer]) part.setAttribute('role', 'presentation');
  const heading = document.createElement('h2');
  heading.textContent = t(`steps.${step.name}.title`);
  title.replaceChildren(heading);
  description.textContent = t(`steps.${step.name}.text`);
  for (const text of [title, description]) text.style.display = 'block';
  progress.textContent = t('progress', { step: index + 1, total: TOUR_STEPS.length });
  previousButton.textContent = t('back');
  if (index === 0) previousButton.style.display = 'none';
  nextButton.textContent = t(is_last ? 'done' : 'next');
  closeButton.setAttribute('aria-label', t('leave'));
  // The library gives the focus to the first button once this is done; the last one is read after its dialog.
  wrapper.append(closeButton);
  queueMicrotask(() => nextButton.focus());
}
