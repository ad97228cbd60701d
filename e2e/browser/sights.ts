import { appendFileSync, mkdirSync } from 'node:fs';
import { expect } from '@playwright/test';

/** One look at a screen: a line of JSON in `SIGHTS_FILE`, which the program of the looks reads. */
export interface Sight {
  /** The screen, its language and its look. */
  name: string;
  problems: string[];
}

/** True if each screen is looked at in every width and both languages, with pictures: in `npm run faults -- looks`. */
export const IS_THOROUGH = process.env.SCREENS === 'all';
/** The folder of the pictures. */
export const PICTURES = '.cache/screens';
export const SIGHTS_FILE = `${PICTURES}/sights.jsonl`;

/** Notes the flaws of a sight, and fails the journey in the end. */
export function report(name: string, problems: string[]): void {
  recordFindings(name, problems);
  expect.soft(problems, name).toEqual([]);
}

/** Notes the flaws of a sight without failing, for programs that are not journeys. */
export function recordFindings(name: string, problems: string[]): void {
  mkdirSync(PICTURES, { recursive: true });
  appendFileSync(SIGHTS_FILE, `${JSON.stringify({ name, problems } satisfies Sight)}\n`);
}
