import { rename, writeFile } from 'node:fs/promises';
import { encode } from 'uqr';

const WIDTH = 640;
const HEIGHT = 480;
/** As a phone's screen at arm's length: the code fills most of the picture's height. */
const CODE_HEIGHT = 400;
const QUIET_MODULES = 4;
const WHITE = 235;
const BLACK = 16;
const NO_COLOUR = 128;

/**
 * The switches with which Chromium takes a video for its camera and asks nobody. It opens the file each time a page
 * opens the camera, so a code may be written anew in between.
 */
export function fakeCameraArgs(path: string): string[] {
  return [
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    `--use-file-for-fake-video-capture=${path}`,
  ];
}

/** Writes a video of 640 × 480 that shows a QR code with this text, on a light grey wall, for ever (Y4M, two frames). */
export async function writeQrVideo(path: string, text: string): Promise<void> {
  const header = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\n`);
  const frame = Buffer.concat([Buffer.from('FRAME\n'), drawFrame(text)]);
  // Renamed at the end: a camera that is opened meanwhile sees a whole video, the old one or the new one.
  await writeFile(`${path}.part`, Buffer.concat([header, frame, frame]));
  await rename(`${path}.part`, path);
}

/** One picture: full-size luma, then both quarter-size colour planes, which stay grey. */
function drawFrame(text: string): Buffer {
  const { size, data } = encode(text, { border: QUIET_MODULES });
  const module_px = Math.max(1, Math.floor(CODE_HEIGHT / size));
  const left = Math.floor((WIDTH - size * module_px) / 2);
  const top = Math.floor((HEIGHT - size * module_px) / 2);
  const luma = Buffer.alloc(WIDTH * HEIGHT, (WHITE + BLACK) / 2);
  for (const [row, modules] of data.entries()) {
    for (const [column, dark] of modules.entries()) {
      for (let line = 0; line < module_px; line += 1) {
        const from = (top + row * module_px + line) * WIDTH + left + column * module_px;
        luma.fill(dark ? BLACK : WHITE, from, from + module_px);
      }
    }
  }
  return Buffer.concat([luma, Buffer.alloc((WIDTH * HEIGHT) / 2, NO_COLOUR)]);
}
