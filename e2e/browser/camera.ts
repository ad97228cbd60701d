import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';

const WIDTH = 640;
const HEIGHT = 480;
const CODE_SIZE = 400;

/** A browser whose camera sees the picture last held in front of it. */
export interface CameraBrowser {
  browser: Browser;
  /** Holds another phone's screen in front of the camera: the exact pixels of the code it shows now. */
  lookAt(page: Page): Promise<void>;
}

export async function launchWithCamera(launch: (args: string[]) => Promise<Browser>): Promise<CameraBrowser> {
  const video = join(tmpdir(), `sendlap-camera-${randomUUID()}.y4m`);
  await writeVideo(video, Buffer.alloc(WIDTH * HEIGHT, 128));
  // Chromium opens the file each time a page opens the camera, so the picture can be rewritten in between.
  const browser = await launch([
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    `--use-file-for-fake-video-capture=${video}`,
  ]);
  browser.on('disconnected', () => void rm(video, { force: true }));
  return {
    browser,
    lookAt: async (page) => writeVideo(video, await photograph(page)),
  };
}

/** Answers as a browser does after "Block"; not every headless Chromium can block. Runs in the page. */
export function blockCamera(): void {
  navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('Permission denied', 'NotAllowedError'));
}

/** Whether a camera runs on the page. Runs in the page. */
export function isCameraLive(): boolean {
  const { srcObject } = document.querySelector('video') ?? {};
  return srcObject instanceof MediaStream && srcObject.getVideoTracks()[0]?.readyState === 'live';
}

/** Returns the luma of a photograph of the page's code, centered in a grey picture. */
async function photograph(page: Page): Promise<Buffer> {
  const code = page.getByRole('img', { name: /QR code/ });
  const png = await code.screenshot();
  const pixels = Buffer.from(await page.evaluate(readLuma, { png: png.toString('base64'), size: CODE_SIZE }), 'base64');
  const luma = Buffer.alloc(WIDTH * HEIGHT, 128);
  const [left, top] = [(WIDTH - CODE_SIZE) / 2, (HEIGHT - CODE_SIZE) / 2];
  for (let row = 0; row < CODE_SIZE; row += 1) {
    pixels.copy(luma, (top + row) * WIDTH + left, row * CODE_SIZE, (row + 1) * CODE_SIZE);
  }
  return luma;
}

/**
 * Runs in the page: decodes the PNG and returns one byte per pixel, in base64. As a list of numbers they take seconds on
 * their way to the test.
 */
async function readLuma({ png, size }: { png: string; size: number }): Promise<string> {
  const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const canvas = new OffscreenCanvas(size, size);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  context.drawImage(picture, 0, 0, size, size);
  const { data } = context.getImageData(0, 0, size, size);
  let luma = '';
  for (let at = 0; at < data.length; at += 4) luma += String.fromCharCode(data[at] ?? 0);
  return btoa(luma);
}

/** Writes Y4M, two frames without colour; renames it at the end, so that the camera never reads half a file. */
async function writeVideo(path: string, luma: Buffer): Promise<void> {
  const header = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\n`);
  const frame = Buffer.concat([Buffer.from('FRAME\n'), luma, Buffer.alloc((WIDTH * HEIGHT) / 2, 128)]);
  await writeFile(`${path}.part`, Buffer.concat([header, frame, frame]));
  await rename(`${path}.part`, path);
}
