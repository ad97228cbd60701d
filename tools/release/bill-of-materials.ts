import { capture, npmCommand, ROOT } from '../project/project.ts';

/** The workspaces whose packages a release holds, installed or built into the app. */
const SHIPPED = ['--workspace=@sendlap/api', '--workspace=@sendlap/web', '--include-workspace-root'];

type Document = { serialNumber?: string; metadata: { timestamp?: string } };

/**
 * Returns the packages of a release as CycloneDX (SBOM), by `npm sbom` of the lock file. Without the number and the
 * time that npm gives each document, the same lock file gives the same bytes.
 */
export async function readBillOfMaterials(): Promise<string> {
  const [npm, args] = npmCommand();
  const flags = ['--sbom-format=cyclonedx', '--package-lock-only', '--omit=dev', '--loglevel=error', ...SHIPPED];
  const { ok, output } = await capture(npm, [...args, 'sbom', ...flags], ROOT);
  if (!ok) throw new Error(`npm sbom failed: ${output}`);
  const document = JSON.parse(output) as Document;
  delete document.serialNumber;
  delete document.metadata.timestamp;
  return `${JSON.stringify(document, null, 2)}\n`;
}
