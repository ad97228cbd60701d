import { SCAN_PATH } from '@sendlap/domain/qr-code.ts';
import { expect, test } from 'vitest';
import { PATHS } from './paths.ts';

// Not imported there: the first chunk would load the whole format of codes.
test('the screen that scans is where codes lead', () => expect(PATHS.scan).toBe(SCAN_PATH));
