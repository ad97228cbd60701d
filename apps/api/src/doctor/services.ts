import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createMailer, MailError } from '#api/accounts/pages/mail.ts';
import { checkProvider } from '#api/accounts/provider/check-provider.ts';
import { dataDir } from '#api/database/storage.ts';
import { createTileService } from '#api/modules/tiles/service.ts';
import { type Env, readMailSettings } from '#api/platform/env.ts';
import { StartError } from '#api/platform/start-error.ts';
import { VERSION } from '#api/platform/version.ts';
import { type Finding, findingsOf, reasonOf } from './finding.ts';

const GB = 1_000_000_000;
const LITTLE_BYTES = GB;
/** Below this, the embedded database may stop. */
const TOO_LITTLE_BYTES = 0.1 * GB;
const MAIL_TIMEOUT_MS = 15_000;
const OVERPASS_TIMEOUT_MS = 15_000;
const METRICS_TIMEOUT_MS = 10_000;

/** Checks the room in the data folder, and that this account may write there; also of BACKUP_DIR, if it is another one. */
export function checkDisks(env: Env, statfs: typeof statfsSync = statfsSync): Finding[] {
  const data_disk = checkDisk('disk', 'DATA_DIR', dataDir(env), statfs);
  if (!env.BACKUP_DIR || env.BACKUP_KEEP === 0) return [data_disk];
  return [data_disk, checkDisk('backup-disk', 'BACKUP_DIR', env.BACKUP_DIR, statfs)];
}

function checkDisk(check: string, setting: string, wanted: string, statfs: typeof statfsSync): Finding {
  const { good, lacking, broken } = findingsOf(check);
  let folder = resolve(wanted);
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    return broken(
      `${setting}: ${folder} cannot be written (${reasonOf(error)}): give it to this account, or set another`,
    );
  }
  const { bavail, bsize } = statfs(folder);
  const free_bytes = bavail * bsize;
  const room = `${(free_bytes / GB).toFixed(1)} GB free for ${setting} ${wanted}`;
  if (free_bytes < TOO_LITTLE_BYTES) return broken(`${room}: free some space, or set ${setting} to another disk`);
  return free_bytes < LITTLE_BYTES ? lacking(`${room}: free some space soon`) : good(room);
}

/** Signs in at the mail server, and sends nothing. */
export async function checkMail(env: Env): Promise<Finding> {
  const { good, lacking, broken } = findingsOf('mail');
  const settings = readMailSettings(env);
  if (!settings)
    return lacking(
      'SMTP_URL is not set: only operators make links for a new password, in the app or by `users reset-password`',
    );
  const { host } = new URL(settings.smtp_url);
  try {
    await createMailer(settings).verify(AbortSignal.timeout(MAIL_TIMEOUT_MS));
    return good(`${host} takes mails from ${settings.from}`);
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    const reply = error.response_code === undefined ? '' : `, reply ${error.response_code}`;
    return broken(
      `SMTP_URL: ${host} does not let the server in (${error.code}${reply}): check address, user and password`,
    );
  }
}

/** Sends the Overpass server a query for nothing. */
export async function checkOverpass({ OVERPASS_URL: url }: Env): Promise<Finding> {
  const { good, lacking } = findingsOf('overpass');
  const { host } = new URL(url);
  try {
    const reply = await fetch(url, {
      method: 'POST',
      headers: { 'user-agent': `Sendlap/${VERSION}`, accept: 'application/json' },
      body: new URLSearchParams({ data: '[out:json][timeout:5];out count;' }),
      redirect: 'manual',
      signal: AbortSignal.timeout(OVERPASS_TIMEOUT_MS),
    });
    const is_json = typeof (await reply.json().catch(() => null)) === 'object';
    if (reply.ok && is_json) return good(`${host} answers`);
    return lacking(
      `OVERPASS_URL: ${host} answered ${reply.status}: loads of areas wait until it answers, or set another server`,
    );
  } catch (error) {
    return lacking(`OVERPASS_URL: ${host} cannot be reached (${reasonOf(error)}): loads of areas wait until it can`);
  }
}

/** Reads the head of the map of streets. */
export async function checkStreets(env: Env): Promise<Finding> {
  const { good, lacking, broken } = findingsOf('streets');
  const tiles = createTileService({ streets: env.MAP_STREETS, data_dir: dataDir(env) });
  if (!(await tiles.hasStreets())) {
    return lacking('no streets: load those of a town with `map fetch`, or set MAP_STREETS');
  }
  try {
    const problem = await tiles.openStreets();
    if (problem)
      return broken(`MAP_STREETS: its streets cannot be read now (${reasonOf(problem)}), and maps show none`);
    return good(`streets from ${env.MAP_STREETS === undefined ? 'the set-up' : 'MAP_STREETS'}`);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return broken(error.message);
  }
}

/** Reads the metrics as Prometheus does. */
export async function checkMetrics({ METRICS_PORT: port, METRICS_HOST: host }: Env): Promise<Finding> {
  const { good, broken } = findingsOf('metrics');
  if (port === undefined) return good('off, as METRICS_PORT is not set');
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}/metrics`;
  try {
    const reply = await fetch(url, { signal: AbortSignal.timeout(METRICS_TIMEOUT_MS) });
    if ((await reply.text()).includes('sendlap_build_info')) return good(`served at ${url}`);
    return broken(`METRICS_PORT: another program answers at ${url}: set another port`);
  } catch (error) {
    return broken(`METRICS_PORT: ${url} does not answer (${reasonOf(error)}): restart the server with this setting`);
  }
}

/** Checks the identity provider as `oidc check` does; one line, with all that is broken. */
export async function checkSignIn(env: Env): Promise<Finding> {
  const { good, broken } = findingsOf('sign-in');
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: client_id } = env;
  if (!issuer || !client_id) return good('the app is its own identity provider');
  const findings = await checkProvider({
    issuer,
    client_id,
    client_secret: env.OIDC_CLIENT_SECRET,
    signup_url: env.OIDC_SIGNUP_URL,
    public_url: env.PUBLIC_URL,
  });
  const problems = findings
    .filter(({ verdict }) => verdict === 'broken')
    .map(({ check, detail }) => `${check}: ${detail}`);
  return problems.length === 0 ? good(`${issuer} accepts the server`) : broken(`OIDC_ISSUER: ${problems.join('; ')}`);
}
