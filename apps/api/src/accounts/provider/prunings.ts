import { createSignUpPruning } from '../mailed-sign-ups.ts';
import { createRecordPruning } from './record-store.ts';

/** Jobs that remove what sign-ups and sign-ins leave behind. */
export const accountPrunings = [createSignUpPruning, createRecordPruning];
