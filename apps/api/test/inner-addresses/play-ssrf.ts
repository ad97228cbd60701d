import { buildTestApp } from '../app/app.ts';
import { type AttackReport, runAttacks } from './attack.ts';
import { attackSetting, openSettings } from './attacks-by-hosts.ts';
import { attackClaims, attackPushes } from './attacks-by-users.ts';
import { openFakeInternet } from './fake-internet.ts';

/** Runs all attacks on a database, or, without one, on a new one; `every`: each n-th of each way. */
export async function playSsrf({
  database_url,
  every,
}: {
  database_url?: string;
  every: number;
}): Promise<AttackReport> {
  const internet = await openFakeInternet(['*.example.org']);
  const api = await buildTestApp({ name_servers: [internet.name_server], ...(database_url && { database_url }) });
  const { settings, close } = await openSettings();
  const all = [
    await attackPushes(api, internet),
    await attackClaims(api, internet),
    ...settings.map((setting) => attackSetting(internet, setting)),
  ];
  try {
    return await runAttacks(internet, all, every);
  } finally {
    for (const attacks of all) attacks.close();
    await close();
    await api.close();
    await internet.close();
  }
}
