import { drawQr, QUIET_MODULES } from '#web/shared/ui/qr-drawing.ts';
import { layOutPoster, type MeasureText, PAPERS, type Paper, type PosterContent } from './poster-layout.ts';

/** 300 dots an inch: print quality, and within the limits of canvases on phones. */
const DOTS_PER_MM = 300 / 25.4;
/** The app's font for Latin letters; the device's own fonts have the other scripts. */
const FAMILY = '"Figtree", system-ui, sans-serif';

/** Draws the poster in black and white, unless `signal` aborts before. Throws if the browser has no canvas. */
export async function drawPoster(
  canvas: HTMLCanvasElement,
  content: PosterContent & { url: string },
  paper: Paper,
  signal: AbortSignal,
): Promise<void> {
  await loadFonts([content.center_name, content.claim, ...content.steps, content.footer].join(' '));
  if (signal.aborted) return;
  const { width, height } = PAPERS[paper];
  canvas.width = Math.round(width * DOTS_PER_MM);
  canvas.height = Math.round(height * DOTS_PER_MM);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('no canvas');
  const setFont = (size: number, weight: number) => {
    context.font = `${weight} ${size * DOTS_PER_MM}px ${FAMILY}`;
  };
  const measure: MeasureText = (text, size, weight) => {
    setFont(size, weight);
    return context.measureText(text).width / DOTS_PER_MM;
  };
  const { lines, band, qr, discs } = layOutPoster(content, paper, measure);
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = 'black';
  context.fillRect(0, Math.round(band.y * DOTS_PER_MM), canvas.width, Math.round(band.height * DOTS_PER_MM));
  for (const { x, y, radius } of discs) {
    context.beginPath();
    context.arc(x * DOTS_PER_MM, y * DOTS_PER_MM, radius * DOTS_PER_MM, 0, 2 * Math.PI);
    context.fill();
  }
  fillQr(context, content.url, qr);
  for (const { text, x, y, size, weight, align, color } of lines) {
    setFont(size, weight);
    context.fillStyle = color;
    context.textAlign = align;
    context.fillText(text, x * DOTS_PER_MM, y * DOTS_PER_MM);
  }
}

/**
 * Fills the area with the code; the page around it is the quiet zone. A module is a whole number of dots, so that its
 * edges are sharp.
 */
function fillQr(context: CanvasRenderingContext2D, url: string, area: { x: number; y: number; size: number }): void {
  const { size, path } = drawQr(url);
  const room = area.size * DOTS_PER_MM;
  const module_dots = Math.floor(room / (size - 2 * QUIET_MODULES));
  const inset = (room - module_dots * size) / 2;
  context.save();
  context.translate(Math.round(area.x * DOTS_PER_MM + inset), Math.round(area.y * DOTS_PER_MM + inset));
  context.scale(module_dots, module_dots);
  context.fill(new Path2D(path));
  context.restore();
}

/** A canvas does not wait for fonts; without them it draws with the device's own. */
async function loadFonts(text: string): Promise<void> {
  await Promise.all(['600', '800'].map((weight) => document.fonts.load(`${weight} 40px "Figtree"`, text))).catch(
    () => {},
  );
}
