import { buildIfChanged } from './project/build.ts';

if (process.argv.includes('--version') || (await buildIfChanged())) {
  // Imported into this process, so that a signal to it reaches the app.
  await import('../apps/api/src/main.ts');
} else {
  console.error('The app could not be built: see the messages above.');
  process.exitCode = 1;
}
