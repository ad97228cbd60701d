interface PdfPage {
  /** Of the image, in dots. */
  width: number;
  height: number;
  /** One byte a dot, 0 black to 255 white, row by row. */
  gray: Uint8Array<ArrayBuffer>;
  /** Of the page. */
  width_mm: number;
  height_mm: number;
  title: string;
  language: string;
}

const POINTS_PER_MM = 72 / 25.4;

/** Makes a PDF (1.4) of one page that is one gray image, compressed without loss. */
export async function createImagePdf({ gray, ...page }: PdfPage): Promise<Blob> {
  const image = await deflate(gray);
  const [width, height] = [page.width_mm, page.height_mm].map((mm) => (mm * POINTS_PER_MM).toFixed(2));
  const content = `q ${width} 0 0 ${height} 0 0 cm /I Do Q`;
  const lang = `/Lang (${page.language})`;
  const bits = '/ColorSpace /DeviceGray /BitsPerComponent 8';
  const objects: (string | Uint8Array<ArrayBuffer>)[][] = [
    [`<< /Type /Catalog /Pages 2 0 R ${lang} /ViewerPreferences << /DisplayDocTitle true >> >>`],
    ['<< /Type /Pages /Kids [3 0 R] /Count 1 >>'],
    [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 4 0 R`,
      ' /Resources << /XObject << /I 5 0 R >> >> >>',
    ],
    [`<< /Length ${content.length} >>\nstream\n${content}\nendstream`],
    [
      `<< /Type /XObject /Subtype /Image /Width ${page.width} /Height ${page.height} ${bits}`,
      ` /Filter /FlateDecode /Length ${image.length} >>\nstream\n`,
      image,
      '\nendstream',
    ],
    [`<< /Title ${hexText(page.title)} /Producer (Sendlap) >>`],
  ];
  return new Blob(writeFile(objects), { type: 'application/pdf' });
}

/** Numbers the objects from 1, and lists where each begins. */
function writeFile(objects: (string | Uint8Array<ArrayBuffer>)[][]): (string | Uint8Array<ArrayBuffer>)[] {
  const parts: (string | Uint8Array<ArrayBuffer>)[] = ['%PDF-1.4\n'];
  // All texts are ASCII: a character is a byte.
  let size = 9;
  const add = (part: string | Uint8Array<ArrayBuffer>) => {
    parts.push(part);
    size += part.length;
  };
  const offsets = objects.map((object, nth) => {
    const offset = size;
    for (const part of [`${nth + 1} 0 obj\n`, ...object, '\nendobj\n']) add(part);
    return offset;
  });
  const count = objects.length + 1;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
  const trailer = `trailer\n<< /Size ${count} /Root 1 0 R /Info ${objects.length} 0 R >>`;
  return [...parts, `xref\n0 ${count}\n0000000000 65535 f \n${rows.join('')}${trailer}\nstartxref\n${size}\n%%EOF\n`];
}

/** A text of any script: UTF-16 with a byte order mark. */
function hexText(text: string): string {
  const units = Array.from({ length: text.length }, (_, nth) => text.charCodeAt(nth).toString(16).padStart(4, '0'));
  return `<feff${units.join('')}>`;
}

/** zlib's format, which PDF calls FlateDecode. */
async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
