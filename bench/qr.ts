import { drawQr } from '../apps/web/src/shared/ui/qr-drawing.ts';
import {
  appendMac,
  encodeActivityCode,
  encodeFriendCode,
  encodeInviteCode,
  encodeVenueCode,
  qrUrl,
} from '../packages/domain/src/qr-code.ts';
import { type Figure, openFigureSheet } from '../tools/programs/figures.ts';
import { measureInBrowser } from '../tools/programs/measure-in-browser.ts';
import { median, quantile } from './load/print.ts';

const DRAWING_MS = 16;
const RECOGNITION_MS = 1_000;
const ARRIVAL_MS = 1_000;

/** The output of e2e/measured/qr-codes.ts, all in ms. */
interface Measured {
  drawing: { activity: number[]; friend: number[]; bare: number[] };
  recognition: { found: number[]; camera: number[] };
  arrival: number[];
}

/**
 * Codes in Chromium: from the signature to the picture on the screen, next to a change of the tab that draws no code;
 * from the first picture of the fake camera to its card, next to the start of the camera itself; from the referee's tap
 * on Confirm to the result on the athlete's screen. And the QR version of each kind.
 */
export async function run(): Promise<Figure[]> {
  const sheet = openFigureSheet();
  const { drawing, recognition, arrival } = await measureInBrowser<Measured>('e2e/measured/qr-codes.ts', 'QR-CODES ');
  printVersions();
  // The first code is drawn while the page itself is still being set up.
  const drawn = drawing.activity.slice(1);
  const bare = median(drawing.bare);
  const camera = median(recognition.camera);
  sheet.goal('drawing an activity code, 95 %', quantile(drawn, 0.95), { at_most: DRAWING_MS }, ' ms');
  sheet.goal('recognition, 95 %', quantile(recognition.found, 0.95), { at_most: RECOGNITION_MS }, ' ms');
  sheet.goal("on the athlete's screen, 95 %", quantile(arrival, 0.95), { at_most: ARRIVAL_MS }, ' ms');
  console.log(`     drawing, median: ${median(drawn).toFixed(2)} ms`);
  console.log(
    `     changing the tab: ${bare.toFixed(2)} ms, ${ratio(median(drawing.friend), bare)} with a code to draw at once`,
  );
  console.log(
    `     the camera's own start: ${camera.toFixed(0)} ms, ${ratio(median(recognition.found), camera)} to the card`,
  );
  console.log(
    `     ${drawn.length} drawings, ${recognition.found.length} recognitions, ${arrival.length} confirmations`,
  );
  return sheet.figures;
}

function ratio(figure: number, peer: number): string {
  return `${(figure / peer).toFixed(1)} ×`;
}

/** ISO/IEC 18004 versions of the longest code of each kind, with a host name of 15 letters. */
function printVersions(): void {
  const id = '33333333-3333-4333-8333-333333333333';
  const [public_id, display_name] = ['a'.repeat(30), 'n'.repeat(24)];
  const ids = { activity_id: id, sport_center_id: id, key_id: id };
  const times = { started_at: 1_795_000_000_000, ended_at: 1_795_005_400_000, step: 59_840_000 };
  const facts = { sport_type: 'swimming', intensity: 'moderate', distance_m: 2_000, paused_s: 60 } as const;
  const mac = new Uint8Array(16).fill(0xa5);
  const kinds = {
    activity: appendMac(encodeActivityCode({ ...ids, ...times, ...facts, public_id, display_name }), mac),
    venue: appendMac(encodeVenueCode({ sport_center_id: id, step: 119_680_000, key_id: id }), mac),
    friend: encodeFriendCode(public_id),
    invite: encodeInviteCode('abcd23efgh45'),
  };
  for (const [kind, bytes] of Object.entries(kinds)) {
    const text = qrUrl('https://sendlap.example', bytes);
    const { version } = drawQr(text);
    console.log(`     ${kind}: version ${version}, ${17 + 4 * version} modules a side, ${text.length} letters`);
  }
}
