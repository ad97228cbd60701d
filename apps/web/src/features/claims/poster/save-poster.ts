import { createImagePdf } from './image-pdf.ts';
import { PAPERS, type Paper } from './poster-layout.ts';

interface SaveOptions {
  paper: Paper;
  title: string;
  language: string;
  /** Without its ending. */
  file_name: string;
}

/** Saves the drawn poster as a PDF. */
export async function savePoster(canvas: HTMLCanvasElement, options: SaveOptions): Promise<void> {
  const { width, height } = canvas;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('no canvas');
  const { data } = context.getImageData(0, 0, width, height);
  const gray = new Uint8Array(width * height);
  // The drawing is black and white, so any of the three colours is its gray.
  for (let dot = 0; dot < gray.length; dot += 1) gray[dot] = data[dot * 4] ?? 255;
  const { width: width_mm, height: height_mm } = PAPERS[options.paper];
  const { title, language } = options;
  const file = await createImagePdf({ width, height, gray, width_mm, height_mm, title, language });
  const href = URL.createObjectURL(file);
  const link = Object.assign(document.createElement('a'), { href, download: `${options.file_name}.pdf` });
  link.click();
  URL.revokeObjectURL(href);
}
