import { buildWebIfChanged } from './build-web.ts';

if (await buildWebIfChanged()) {
  // In this process, so that a signal to it reaches the app.
  await import('../apps/api/src/main.ts');
} else {
  console.error('The web app could not be built: see the messages above.');
  process.exitCode = 1;
}
