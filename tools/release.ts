import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildIfChanged } from './project/build.ts';
import { capture, ROOT } from './project/project.ts';
import { writeTarball } from './release/archive.ts';
import { readBillOfMaterials } from './release/bill-of-materials.ts';
import { listReleaseFiles, readReleaseName } from './release/release-files.ts';

const FOLDER = join(ROOT, 'release');

/** A release is made of a commit: throws in a tree with other changes. Returns the commit's time, epoch s. */
async function readCommitTime(): Promise<number> {
  const status = await capture('git', ['status', '--porcelain']);
  const time = await capture('git', ['log', '-1', '--format=%ct']);
  if (!status.ok || !time.ok)
    throw new Error(`git cannot tell the commit of this tree: ${status.output}${time.output}`);
  if (status.output) throw new Error(`commit these changes first, or remove them:\n${status.output}`);
  return Number(time.output);
}

/** Later versions are compared with the API that this one keeps (`RECORD_API=1`, see CONTRIBUTING.md). */
function assertApiKept(): void {
  const { info } = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as { info: { version: string } };
  if (!readReleaseName().endsWith(`-${info.version}`))
    throw new Error(
      `docs/openapi.json is of ${info.version}: run RECORD_API=1 npm test -- api http/document, and commit`,
    );
}

async function release(): Promise<void> {
  const modified_s = await readCommitTime();
  assertApiKept();
  if (!(await buildIfChanged())) throw new Error('the app could not be built');
  const name = readReleaseName();
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  writeTarball(join(FOLDER, `${name}.tar.gz`), { files: listReleaseFiles(), folder: name, modified_s });
  writeFileSync(join(FOLDER, `${name}.cdx.json`), await readBillOfMaterials());
  const sums = [`${name}.tar.gz`, `${name}.cdx.json`].map((file) => {
    const sum = createHash('sha256')
      .update(readFileSync(join(FOLDER, file)))
      .digest('hex');
    return `${sum}  ${file}\n`;
  });
  writeFileSync(join(FOLDER, 'SHA256SUMS'), sums.join(''));
  console.log(`The release is in ${FOLDER}:\n${sums.join('')}`);
}

await release().catch((error: Error) => {
  console.error(`release: ${error.message}`);
  process.exitCode = 1;
});
