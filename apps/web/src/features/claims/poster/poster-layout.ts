/** All lengths are in mm, from the upper left corner of the page. */
export interface PosterContent {
  center_name: string;
  claim: string;
  steps: string[];
  /** The server's name and address. */
  footer: string;
}

export const PAPERS = {
  a4: { width: 210, height: 297 },
  letter: { width: 215.9, height: 279.4 },
} as const;
export type Paper = keyof typeof PAPERS;

/** One line of text. `y`: of its baseline. */
export interface TextLine {
  text: string;
  x: number;
  y: number;
  size: number;
  weight: number;
  align: 'center' | 'left';
  color: 'black' | 'white';
}

export interface PosterLayout {
  lines: TextLine[];
  /** A black band behind the claim. */
  band: { y: number; height: number };
  qr: { x: number; y: number; size: number };
  /** Black discs behind the numbers of the steps. */
  discs: { x: number; y: number; radius: number }[];
}

/** Returns the width of a text. */
export type MeasureText = (text: string, size: number, weight: number) => number;

const MARGIN = 16;
const GAP = 9;
/** At 2 m letters are read from a height of about 6 mm. */
const STEP_SIZE = 9;
const STEP_HEIGHT = 16;
const CLAIM_SIZE = 12.5;
const FOOTER_SIZE = 6.5;
const MAX_NAME_SIZE = 22;
const MIN_NAME_SIZE = 12;
const LINE_HEIGHT = 1.15;
/** From the top of a line to its baseline. */
const BASELINE = 0.82;
const MAX_QR_SIZE = 112;
/** Four modules of the largest code. */
const QUIET_ZONE = 13;
const BOLD = 800;
const MEDIUM = 600;

/** Smaller letters, for long names and texts that would leave no room for the code. */
const SCALES = [1, 0.92, 0.84, 0.76, 0.68, 0.6];
const MIN_QR_SIZE = 75;

/** Arranges the poster: the center's name, what it is for, the code, three steps. */
export function layOutPoster(content: PosterContent, paper: Paper, measure: MeasureText): PosterLayout {
  const [first = 1, ...smaller] = SCALES;
  let layout = layOutAt(first, content, paper, measure);
  for (const scale of smaller) {
    if (layout.qr.size >= MIN_QR_SIZE) break;
    layout = layOutAt(scale, content, paper, measure);
  }
  return layout;
}

function layOutAt(scale: number, content: PosterContent, paper: Paper, measure: MeasureText): PosterLayout {
  const { width, height } = PAPERS[paper];
  const room = width - 2 * MARGIN;
  const [step_size, step_height] = [STEP_SIZE * scale, STEP_HEIGHT * scale];
  const [claim_size, footer_size] = [CLAIM_SIZE * scale, FOOTER_SIZE * scale];
  const lines: TextLine[] = [];
  const addCentered = (texts: string[], top: number, size: number, weight: number, color: TextLine['color']) => {
    for (const [nth, text] of texts.entries()) {
      const y = top + (nth * LINE_HEIGHT + BASELINE) * size;
      lines.push({ text, x: width / 2, y, size, weight, align: 'center', color });
    }
    return texts.length * LINE_HEIGHT * size;
  };

  const name = fitName(content.center_name, { room, scale, measure });
  let y = MARGIN + addCentered(name.lines, MARGIN, name.size, BOLD, 'black') + GAP / 2;

  const claim = wrapText(content.claim, room, (text) => measure(text, claim_size, BOLD));
  const band = { y, height: claim.length * LINE_HEIGHT * claim_size + GAP };
  addCentered(claim, y + GAP / 2, claim_size, BOLD, 'white');
  y += band.height + QUIET_ZONE;

  const footer = wrapText(content.footer, room, (text) => measure(text, footer_size, MEDIUM)).slice(0, 2);
  const footer_top = height - MARGIN - footer.length * LINE_HEIGHT * footer_size;
  addCentered(footer, footer_top, footer_size, MEDIUM, 'black');

  const indent = step_height;
  const steps = content.steps.map((step) => wrapText(step, room - indent, (text) => measure(text, step_size, MEDIUM)));
  const heights = steps.map((step) => Math.max(step_height, step.length * LINE_HEIGHT * step_size + 4));
  const steps_top = footer_top - GAP - sum(heights);
  const qr_room = steps_top - QUIET_ZONE - y;
  const size = Math.min(MAX_QR_SIZE, qr_room);
  const qr = { x: (width - size) / 2, y: y + (qr_room - size) / 2, size };
  const discs = steps.map((step, nth) => {
    const middle = steps_top + sum(heights.slice(0, nth)) + (heights[nth] ?? 0) / 2;
    const radius = step_height * 0.38;
    const disc = { x: MARGIN + radius, y: middle, radius };
    const number = { text: String(nth + 1), x: disc.x, y: middle + step_size * 0.35, size: step_size, weight: BOLD };
    lines.push({ ...number, align: 'center', color: 'white' });
    const top = middle - (step.length * LINE_HEIGHT * step_size) / 2;
    for (const [row, text] of step.entries()) {
      const baseline = top + (row * LINE_HEIGHT + BASELINE) * step_size;
      lines.push({
        text,
        x: MARGIN + indent,
        y: baseline,
        size: step_size,
        weight: MEDIUM,
        align: 'left',
        color: 'black',
      });
    }
    return disc;
  });
  return { lines, band, qr, discs };
}

interface NameOptions {
  room: number;
  scale: number;
  measure: MeasureText;
}

/** The largest size at which the name needs two lines; at the smallest one it is cut after three. */
function fitName(name: string, { room, scale, measure }: NameOptions): { lines: string[]; size: number } {
  const wrapAt = (size: number) => wrapText(name, room, (text) => measure(text, size, BOLD));
  for (let size = MAX_NAME_SIZE * scale; size > MIN_NAME_SIZE * scale; size -= 1) {
    const lines = wrapAt(size);
    if (lines.length <= 2) return { lines, size };
  }
  const size = MIN_NAME_SIZE * scale;
  const lines = wrapAt(size);
  if (lines.length <= 3) return { lines, size };
  return { lines: [...lines.slice(0, 2), `${lines[2]?.slice(0, -1)}…`], size };
}

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Breaks a text at spaces; a word that is wider than a line, as in scripts without spaces, inside. */
export function wrapText(text: string, room: number, widthOf: (text: string) => number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer) <= room) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = '';
    for (const { segment } of GRAPHEMES.segment(word)) {
      if (line !== '' && widthOf(line + segment) > room) {
        lines.push(line);
        line = '';
      }
      line += segment;
    }
  }
  return line === '' ? lines : [...lines, line];
}

function sum(lengths: number[]): number {
  return lengths.reduce((total, length) => total + length, 0);
}
