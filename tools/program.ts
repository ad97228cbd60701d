import { runPrograms } from './programs/programs.ts';

const FOLDERS = {
  bench: {
    about: 'Measures, each printed as a ratio to a peer in the same run.',
    flags: ['small'],
    values: ['size', 'minutes'],
  },
  faults: {
    about: 'Faults, each with a figure and a control arm that must fail.',
    flags: ['long', 'small', 'journeys'],
    values: ['only', 'area', 'seed'],
  },
};

/** `npm run bench` and `npm run faults` name the folder; the programs' names and options follow. */
const [, , folder, ...args] = process.argv;
if (folder !== 'bench' && folder !== 'faults') throw new Error('run it by npm run bench, or by npm run faults');
await runPrograms({ folder, args, ...FOLDERS[folder] });
