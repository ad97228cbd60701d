import { createSecrets, readSecret } from '#api/database/secrets.ts';
import { dataDir } from '#api/database/storage.ts';
import { type Env, readEnv } from '#api/platform/env.ts';
import { StartError } from '#api/platform/start-error.ts';
import { checkOpenedDatabase, type OpenedStorage, openExistingStorage } from './database.ts';
import { type Finding, findingsOf } from './finding.ts';
import { checkPublicAddress } from './public-address.ts';
import { checkDisks, checkMail, checkMetrics, checkOverpass, checkSignIn, checkStreets } from './services.ts';
import { describeSettings, type SettingValue } from './settings.ts';

export interface Examination {
  settings: SettingValue[];
  findings: Finding[];
}

/** Examines settings and surroundings of a server that may be running. Changes nothing. */
export async function examine(variables: Record<string, string | undefined>): Promise<Examination> {
  const on_settings = findingsOf('settings');
  let env: Env;
  try {
    env = readEnv(variables);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    const settings = describeSettings({ variables, env: undefined, data_dir: undefined, has_secret_file: false });
    return { settings, findings: [on_settings.broken(error.message)] };
  }
  const data_dir = dataDir(env);
  // A secret that cannot be read is reported with the database.
  const has_secret_file = (await readSecret(data_dir).catch(() => undefined)) !== undefined;
  const settings = describeSettings({ variables, env, data_dir, has_secret_file });
  const others = [checkMail(env), checkOverpass(env), checkStreets(env), checkSignIn(env), checkMetrics(env)];
  const findings = [
    on_settings.good('all settings can be read'),
    ...checkDisks(env),
    ...(await checkStorage(env)),
    ...(await Promise.all(others)),
  ];
  return { settings, findings };
}

/** Checks what needs the database or its secret. */
async function checkStorage(env: Env): Promise<Finding[]> {
  const { lacking, broken } = findingsOf('database');
  let opened: OpenedStorage | undefined;
  try {
    opened = await openExistingStorage(env);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return [broken(error.message)];
  }
  if (!opened) return [lacking(`none yet: the first start creates it in DATA_DIR ${dataDir(env)}`)];
  try {
    const secrets = createSecrets(opened.storage.secret);
    const { findings, nodes } = await checkOpenedDatabase(opened, env);
    const running_nodes = nodes.map(({ name }) => name);
    return [...findings, ...(await checkPublicAddress(env, secrets, running_nodes))];
  } finally {
    await opened.close();
  }
}
