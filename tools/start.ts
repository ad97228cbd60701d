import { existsSync } from 'node:fs';

/** A release has the built app without its sources, and not the tools that build it. */
async function isBuilt(): Promise<boolean> {
  if (!existsSync(new URL('../apps/web/src/', import.meta.url))) return true;
  const { buildIfChanged } = await import('./project/build.ts');
  return await buildIfChanged();
}

if (process.argv.includes('--version') || (await isBuilt())) {
  // Imported into this process, so that a signal to it reaches the app.
  await import('../apps/api/src/main.ts');
} else {
  console.error('The app could not be built: see the messages above.');
  process.exitCode = 1;
}
