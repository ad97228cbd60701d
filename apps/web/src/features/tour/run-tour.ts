import { type Driver, type DriveStep, driver, type PopoverDOM } from 'driver.js';
import 'driver.js/dist/driver.css';
import type { Translate } from '#web/shared/i18n/texts.ts';
import { LIGHT_PX } from './place-bubble.ts';
import { createBubblePlacer, findTarget } from './show-target.ts';
import { TOUR_STEPS, type TourStep } from './tour-steps.ts';
import './tour.css';

interface TourOptions {
  t: Translate<'tour'>;
  /** The first step to show, from 0. */
  from: number;
  onStep: (step: number) => void;
  /**
   * `is_over`: ended at the last step; else the user left early. Not called when the function that `runTour` returned
   * ends it.
   */
  onEnd: (is_over: boolean) => void;
}

const MOTION_MS = 280;

/**
 * Runs the tour on the home screen, which is inert until it ends. Arrow keys move, Escape leaves. Returns the function
 * that ends the tour.
 */
export function runTour({ t, from, onStep, onEnd }: TourOptions): () => void {
  const root = document.getElementById('root');
  const previous_focus = document.activeElement;
  // Tracked here: the library loses its position, and ends, if a key is pressed before a step is drawn.
  let current_index = from;
  const placer = createBubblePlacer(() => findLit(tour));
  // A target that comes after its step was shown without it, or that the page drew again.
  const page_changes = new MutationObserver(() => {
    const step = TOUR_STEPS[current_index];
    const lit = findLit(tour);
    const is_shown = step && tour.getActiveIndex() === current_index;
    const is_outdated = !lit?.isConnected || (step?.stand_in && lit.matches(step.stand_in) && isTargetThere(step));
    if (is_shown && is_outdated && findElement(step)) tour.moveTo(current_index);
  });
  const tour = driver({
    steps: TOUR_STEPS.map(toStep),
    animate: !matchMedia('(prefers-reduced-motion: reduce)').matches,
    duration: MOTION_MS,
    overlayOpacity: 0.6,
    stageRadius: 16,
    stagePadding: LIGHT_PX,
    showProgress: true,
    disableActiveInteraction: true,
    allowKeyboardControl: false,
    // A tap that misses a button must not end the tour.
    overlayClickBehavior: () => {},
    onHighlightStarted: placer.prepare,
    onHighlighted: removePopupAttributes,
    onPopoverRender: (popover, { index = 0 }) => {
      fillPopover(popover, t, index);
      placer.show(popover.wrapper);
      onStep(index);
    },
    onNextClick: () => goToStep(current_index + 1),
    onPrevClick: () => goToStep(current_index - 1),
    onCloseClick: () => finish(false),
    onDestroyStarted: () => {},
  });

  function goToStep(to: number): void {
    if (to >= TOUR_STEPS.length) finish(true);
    else if (to >= 0) {
      current_index = to;
      unlight();
      tour.moveTo(to);
    }
  }

  function finish(is_over: boolean): void {
    destroyTour();
    onEnd(is_over);
  }

  function onKey({ key }: KeyboardEvent): void {
    if (key === 'ArrowRight') goToStep(current_index + 1);
    else if (key === 'ArrowLeft') goToStep(current_index - 1);
    else if (key === 'Escape') finish(current_index === TOUR_STEPS.length - 1);
  }

  function destroyTour(): void {
    page_changes.disconnect();
    removeEventListener('keyup', onKey);
    placer.end();
    tour.destroy();
    if (root) root.inert = false;
    if (previous_focus instanceof HTMLElement && previous_focus.isConnected) previous_focus.focus();
  }

  if (root) {
    root.inert = true;
    page_changes.observe(root, { childList: true, subtree: true });
  }
  addEventListener('keyup', onKey);
  tour.drive(from);
  placer.start();
  return destroyTour;
}

function toStep(step: TourStep, index: number): DriveStep {
  // `fillPopover` sets all texts as plain text: the library would render them as HTML.
  const popover = { progressText: String(index + 1) };
  // Without a target the library shows the step in the middle, which its types do not say.
  return step.target ? { element: () => findElement(step) as Element, popover } : { popover };
}

/** Returns the element to light: the target, or its stand-in. */
function findElement({ target, stand_in }: TourStep): Element | null {
  if (target === null) return null;
  return findTarget(target) ?? (stand_in === null ? null : findTarget(stand_in));
}

function isTargetThere({ target }: TourStep): boolean {
  return target !== null && document.querySelector(target) !== null;
}

/** Returns the element that the step lights; null if the step has none: the library then lights a point of its own. */
function findLit(tour: Driver): Element | null {
  const element = tour.getActiveElement();
  return element && element.id !== 'driver-dummy-element' ? element : null;
}

/** The library leaves a target lit that a second key skips before its step was drawn. */
function unlight(): void {
  for (const element of document.querySelectorAll('.driver-active-element')) {
    element.classList.remove('driver-active-element', 'driver-no-interaction');
  }
}

/** The library marks its target as a button with a pop-up, which neither a card nor the page is. */
function removePopupAttributes(): void {
  const element = document.querySelector('.driver-active-element');
  for (const name of ['aria-haspopup', 'aria-expanded', 'aria-controls']) element?.removeAttribute(name);
}

function fillPopover(popover: PopoverDOM, t: Translate<'tour'>, index: number): void {
  const step = TOUR_STEPS[index];
  if (!step) return;
  const { wrapper, title, description, footer, progress, closeButton, previousButton, nextButton } = popover;
  const is_last = index === TOUR_STEPS.length - 1;
  wrapper.setAttribute('aria-modal', 'true');
  // Otherwise header and footer would count as landmarks of the whole page.
  for (const part of [title, footer]) part.setAttribute('role', 'presentation');
  const heading = document.createElement('h2');
  heading.textContent = t(`steps.${step.name}.title`);
  title.replaceChildren(heading);
  description.textContent =
    step.stand_in && !isTargetThere(step) ? t(`steps.${step.name}.later`) : t(`steps.${step.name}.text`);
  for (const text of [title, description]) text.style.display = 'block';
  progress.textContent = t('progress', { step: index + 1, total: TOUR_STEPS.length });
  previousButton.textContent = t('back');
  if (index === 0) previousButton.style.display = 'none';
  nextButton.textContent = t(is_last ? 'done' : 'next');
  closeButton.setAttribute('aria-label', t('leave'));
  // The library focuses the first button after this callback; the close button is read last, after the dialog's text.
  wrapper.append(closeButton);
  queueMicrotask(() => nextButton.focus());
}
