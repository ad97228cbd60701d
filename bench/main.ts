import { runPrograms } from '../tools/programs/programs.ts';

await runPrograms({
  folder: 'bench',
  about: 'Measures, each printed as a ratio to a peer in the same run.',
  flags: ['small'],
  values: ['size', 'minutes'],
});
