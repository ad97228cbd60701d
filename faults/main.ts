import { runPrograms } from '../tools/programs/programs.ts';

await runPrograms({
  folder: 'faults',
  about: 'Faults, each with a figure and a control arm that must fail.',
  flags: ['long', 'small', 'journeys'],
  values: ['only', 'area', 'seed'],
});
