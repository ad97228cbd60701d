import { expect, test } from 'vitest';
import { formatNightlyTable, type NightlyRow, resultOf, selectPrograms, toPrograms } from './nightly-table.ts';

const PROGRAMS = ['faults/chat', 'faults/kill', 'bench/chat', 'bench/tiles'];

test('A name chooses the program of this name in each folder, with its folder it chooses one', () => {
  expect(selectPrograms(PROGRAMS, ['chat'])).toEqual(['faults/chat', 'bench/chat']);
  expect(selectPrograms(PROGRAMS, ['bench/chat', 'kill'])).toEqual(['faults/kill', 'bench/chat']);
  expect(selectPrograms(PROGRAMS, [])).toEqual(PROGRAMS);
});

test('A name that no program has is refused, and does not choose everything', () => {
  expect(() => selectPrograms(PROGRAMS, ['chat', 'chats'])).toThrow('no program "chats"');
});

test('Fault programs come before the benches', () => {
  expect(toPrograms((folder) => [`of-${folder}`])).toEqual(['faults/of-faults', 'bench/of-bench']);
});

const good: NightlyRow = {
  program: 'faults/kill',
  seconds: 28.4,
  figures: [
    { name: 'lost', text: '0' },
    { name: 'new ids', text: '12 wrongly refused', control: 'found' },
  ],
};
const slow: NightlyRow = {
  program: 'bench/tiles',
  seconds: 90,
  figures: [
    { name: 'cut', text: '3 ms (goal ≤ 2 ms)', goal: 'missed' },
    { name: 'size', text: '20 KB (goal ≤ 30 KB)', goal: 'reached' },
  ],
};
const red: NightlyRow = { program: 'bench/chat', seconds: 1.6, figures: [], error: 'lost a message\n\n  at a line' };

test('A program that threw is red; a missed goal of speed alone is not', () => {
  expect([good, slow, red].map(resultOf)).toEqual(['ok', 'missed', 'RED']);
});

test('The table has a row a program with its control arms, its goals and a line for each figure', () => {
  expect(formatNightlyTable([good, slow, red]).split('\n')).toEqual([
    'program      result  seconds  control  goals   figures',
    'faults/kill  ok      28       1 of 1   –       lost: 0',
    '                                               control arm new ids: 12 wrongly refused',
    'bench/tiles  missed  90       –        1 of 2  MISSED cut: 3 ms (goal ≤ 2 ms)',
    '                                               size: 20 KB (goal ≤ 30 KB)',
    'bench/chat   RED     2        –        –       lost a message',
    '                                                 at a line',
    '',
    '3 programs in 2 minutes, red: bench/chat, 1 goal missed',
  ]);
});

test('A night without a red program says so', () => {
  expect(formatNightlyTable([good])).toContain('1 program in 0 minutes, nothing red');
});
