import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Figure, openFigureSheet } from '../tools/programs/figures.ts';
import { buildIfChanged } from '../tools/project/build.ts';
import { ROOT } from '../tools/project/project.ts';
import { readContainerfile } from '../tools/release/containerfile.ts';
import { readExposure } from '../tools/release/exposure.ts';
import { measureImage } from '../tools/release/image-size.ts';
import { findDevelopmentPackages, unpackRelease } from '../tools/release/release-tree.ts';
import { useServer } from '../tools/release/use-server.ts';

/** Files of different kinds that the server needs. The control arm leaves each out of a release. */
const NEEDED = [
  'apps/api/src/migrations/001-first-release.sql',
  'apps/api/dist/world.pmtiles',
  'apps/web/dist/icons/apple-touch-icon.png',
  'packages/domain/package.json',
];

const MB = 1_000_000;
const MAX_IMAGE_MB = 350;
/** Of systemd's scale from 0 to 10. */
const MAX_EXPOSURE = 2;

/**
 * A release, unpacked and set up as an operator does it, runs by the image's own command: as an account without rights,
 * on a tree that it cannot write. A visitor opens the app and makes an account, and no file of the tree changes.
 * Beside that, the size of the image's files and how exposed systemd finds the service. Control arm: a file that is needed
 * is left out of the release.
 */
export async function run(): Promise<Figure[]> {
  const sheet = openFigureSheet();
  if (!(await buildIfChanged())) throw new Error('the app could not be built');
  const image = readContainerfile(readFileSync(join(ROOT, 'deploy/Containerfile'), 'utf8'));
  const tree = unpackRelease();
  try {
    const development = findDevelopmentPackages(tree);
    const problems = [...(await useServer(tree, image)), ...development.map((path) => `${path} is for development`)];
    for (const problem of problems) console.log(`   ! ${problem}`);
    sheet.add('problems', `${problems.length}, with ${tree.list().size} read-only files`);
    if (problems.length > 0) throw new Error('the release does not run as it should');
    const image_size = measureImage(tree);
    if ('missing' in image_size) sheet.add('image', `left out: ${image_size.missing}`);
    else sheet.goal('files of the image', image_size.bytes / MB, { at_most: MAX_IMAGE_MB }, ' MB');
    const exposure = readExposure(join(ROOT, 'deploy/sendlap.service'));
    if ('missing' in exposure) sheet.add('exposure of the service', `left out: ${exposure.missing}`);
    else sheet.goal('exposure of the service', exposure.level, { at_most: MAX_EXPOSURE });
    const missed: string[] = [];
    for (const path of NEEDED) {
      const [problem] = await useServer(tree.copyWithout(path), image);
      console.log(`   without ${path}: ${problem ?? 'no problem'}`);
      if (problem === undefined) missed.push(path);
    }
    const found = `${NEEDED.length - missed.length} of ${NEEDED.length} found`;
    sheet.control('a needed file left out', missed.length === 0, found);
    return sheet.figures;
  } finally {
    tree.remove();
  }
}
