import { expect, test } from 'vitest';
import { createReportIds } from './report-id.ts';

test('what was changed is another report, what is sent again the same', () => {
  let made = 0;
  const idOf = createReportIds(() => `id ${++made}`);
  expect([idOf('spam'), idOf('spam'), idOf('spam, every day'), idOf('spam, every day')]).toEqual([
    'id 1',
    'id 1',
    'id 2',
    'id 2',
  ]);
});
