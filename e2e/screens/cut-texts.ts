/**
 * Returns the texts of the screen, or of the sheet above it, that have lost words: a text that ends in an ellipsis or is
 * clipped, and a word drawn a letter or two to a line. A name or a message that a user wrote may end in an ellipsis in a
 * row of a list, as long as its beginning is shown. Runs in the page.
 */
export function findCutTexts(): string[] {
  /** Allows for rounded widths, and for letters that reach beyond their line. */
  const TOLERANCE_PX = 2;
  /** The least visible width of a user's text that ends in an ellipsis, in em: with less, no one can tell whose it is. */
  const MIN_SHOWN_EM = 3;
  /** Shorter words are not examined. */
  const MIN_LETTERS = 4;
  /** A word with fewer letters a line, on average, is broken. */
  const MIN_LETTERS_A_LINE = 3;
  const isShown = (element: Element): boolean =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !element.closest('[inert]');
  /** True for a text that only screen readers read. */
  const isTiny = ({ clientWidth, clientHeight }: Element) => clientWidth === 1 && clientHeight === 1;
  const clips = (overflow: string) => overflow === 'hidden' || overflow === 'clip';

  /** Returns the first ancestor that clips the box, unless a scroll brings the rest out. */
  const findClip = (element: Element, box: DOMRect): Element | 'unseen' | null => {
    for (let part: Element | null = element; part; part = part.parentElement) {
      const { overflowX, overflowY, display, position } = getComputedStyle(part);
      if (display === 'inline' || display === 'contents') continue;
      const { left, right, top, bottom } = part.getBoundingClientRect();
      const is_cut_across = clips(overflowX) && (box.right > right + TOLERANCE_PX || box.left < left - TOLERANCE_PX);
      const is_cut_down = clips(overflowY) && (box.bottom > bottom + TOLERANCE_PX || box.top < top - TOLERANCE_PX);
      if (isTiny(part)) return 'unseen';
      if (is_cut_across || is_cut_down) return part;
      if (/auto|scroll/.test(overflowX + overflowY) || position === 'fixed') return null;
    }
    return null;
  };
  const mayEnd = (element: Element, clip: Element): boolean => {
    const { textOverflow, whiteSpace, fontSize } = getComputedStyle(clip);
    const is_written = element.closest('bdi, [dir=auto]') !== null && element.closest('h1, h2, h3') === null;
    const is_one_line = textOverflow === 'ellipsis' && whiteSpace === 'nowrap';
    return is_written && is_one_line && clip.clientWidth >= MIN_SHOWN_EM * Number.parseFloat(fontSize);
  };
  /**
   * Returns the words of the text that are drawn a letter or two to a line. An address, an ID or code is no word, and may
   * break anywhere.
   */
  const findBrokenWords = (text: Text): string[] => {
    const range = document.createRange();
    return [...text.data.matchAll(/\S+/gu)].flatMap(({ 0: written, index: start }) => {
      const [, before = '', word = ''] = /^(\p{P}*)(\p{L}+)\p{P}*$/u.exec(written) ?? [];
      const index = start + before.length;
      if (word.length < MIN_LETTERS) return [];
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
      return lines > 1 && word.length < lines * MIN_LETTERS_A_LINE ? [word] : [];
    });
  };

  const sheets = [...document.querySelectorAll('[role=dialog][aria-modal=true], dialog[open]')].filter(isShown);
  const found = new Set<string>();
  const texts = document.createTreeWalker(sheets.at(-1) ?? document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode as Text;
    const element = text.parentElement;
    const words = text.data.trim();
    if (!element || words === '' || element.matches('script, style, noscript, option, title') || !isShown(element))
      continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const clip = findClip(element, range.getBoundingClientRect());
    if (clip === 'unseen') continue;
    if (clip && !mayEnd(element, clip)) found.add(`"${words.slice(0, 40)}" is cut`);
    for (const word of findBrokenWords(text)) found.add(`"${word}" of "${words.slice(0, 40)}" is broken into letters`);
  }
  return [...found];
}
