import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { issueCertificate, openLocalCa } from '../apps/api/src/phone/local-ca.ts';
import { isCameraLive } from './browser/camera.ts';
import { test } from './browser/fixtures.ts';
import { listInstallProblems, openProfile } from './browser/install.ts';
import { trustSwitch } from './browser/trust.ts';
import { fillSignUpForm, WITH_WORKER, waitForWorker } from './people/athlete.ts';
import { declineWheneverAsked } from './people/welcome.ts';

const HOST = 'club.example';

/** Makes the files of a certificate for the host. */
async function certify(folder: string): Promise<Record<string, string>> {
  const ca = await openLocalCa(join(folder, 'ca'), 'club', new Date());
  const { cert, key } = issueCertificate(ca, [HOST], new Date());
  const env = { TLS_CERT: join(folder, 'cert.pem'), TLS_KEY: join(folder, 'key.pem') };
  await Promise.all([writeFile(env.TLS_CERT, cert), writeFile(env.TLS_KEY, key)]);
  return env;
}

test('at a public name with TLS_CERT and TLS_KEY the app can be installed, uses the camera and starts without signal', async ({
  startWhole,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'sendlap-https-'));
  const server = await startWhole({ https_host: HOST, env: { HOST: '127.0.0.1', ...(await certify(folder)) } });
  let context: BrowserContext | undefined;
  try {
    const { port } = new URL(server.url);
    context = await openProfile(
      [
        await trustSwitch(new URL(`https://127.0.0.1:${port}`)),
        `--host-resolver-rules=MAP ${HOST} 127.0.0.1`,
        '--use-fake-device-for-media-stream',
        '--use-fake-ui-for-media-stream',
      ],
      { ...WITH_WORKER, baseURL: server.url, permissions: ['camera'] },
    );
    const page = await context.newPage();
    await declineWheneverAsked(page);
    await signUpAt(page);
    await waitForWorker(page);
    expect(await listInstallProblems(page)).toEqual([]);
    await page.getByRole('link', { name: 'Scan a code' }).click();
    await expect.poll(() => page.evaluate(isCameraLive)).toBe(true);
    await context.setOffline(true);
    await page.goto('/dashboard');
    await expect(page.getByRole('link', { name: 'Scan a code' })).toBeVisible();
  } finally {
    await context?.close();
    await server.remove();
    await rm(folder, { recursive: true });
  }
});

async function signUpAt(page: Page): Promise<void> {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Create account' }).click();
  await fillSignUpForm(page, 'Ada');
  await expect(page).toHaveURL(/\/dashboard$/);
}
