/** In a trial, `npm run bench -- --small`, the short form of a program runs. */
export const IS_SMALL = process.argv.includes('--small');
