import { once } from 'node:events';
import { pollUntil } from '../../apps/api/test/delays.ts';
import { findFreePort } from '../../apps/api/test/free-port.ts';
import { collectOutput } from '../server/server-process.ts';
import type { Engine } from './engine.ts';
import { startUnpacked, WEBKIT_BROWSER } from './unpacked-browsers.ts';

const START_MS = 60_000;

/** Starts WebKitGTK, driven as the WebDriver standard says. Throws with its output if it does not start. */
export async function startWebKit(folder: string): Promise<Engine> {
  const screen = startUnpacked(folder, ['Xvfb', '-displayfd', '1', '-screen', '0', '800x1000x24'], {});
  const [display] = (await once(screen.stdout ?? screen, 'data')) as [Buffer];
  const port = await findFreePort();
  const env = { DISPLAY: `:${String(display).trim()}`, LIBGL_ALWAYS_SOFTWARE: '1', NO_AT_BRIDGE: '1' };
  const driver = startUnpacked(folder, ['WebKitWebDriver', `--port=${port}`], env);
  const output = collectOutput();
  output.follow(driver);
  const end = () => [driver, screen].forEach((child) => void child.kill('SIGKILL'));
  const send = (method: string, path: string, body?: object) => callDriver(port, { method, path, body });
  try {
    const isReady = () =>
      send('GET', '/status').then(
        () => true,
        () => false,
      );
    if (!(await pollUntil(isReady, { patience_ms: START_MS }))) throw new Error('the driver does not answer');
    const args = ['--automation', '--geometry=390x844', '--ignore-tls-errors'];
    const browser = { binary: WEBKIT_BROWSER, args };
    const capabilities = { alwaysMatch: { acceptInsecureCerts: true, 'webkitgtk:browserOptions': browser } };
    const session = (await send('POST', '/session', { capabilities })) as Session;
    const path = `/session/${session.sessionId}`;
    return {
      name: `WebKitGTK ${session.capabilities.browserVersion}`,
      needs_https: true,
      open: async (url) => void (await send('POST', `${path}/url`, { url })),
      evaluate: async <Argument, Value>(run: (argument: Argument) => Value, argument: Argument) =>
        (await send('POST', `${path}/execute/sync`, {
          script: `return (${run})(arguments[0])`,
          args: [argument],
        })) as Value,
      async close() {
        await send('DELETE', path).catch(() => {});
        end();
      },
    };
  } catch (error) {
    end();
    throw new Error(`WebKit does not start: ${error instanceof Error ? error.message : error}\n${output.text()}`);
  }
}

interface Session {
  sessionId: string;
  capabilities: { browserVersion: string };
}

async function callDriver(
  port: number,
  { method, path, body }: { method: string; path: string; body?: object | undefined },
): Promise<unknown> {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: AbortSignal.timeout(START_MS),
  });
  const { value } = (await reply.json()) as { value: unknown };
  if (!reply.ok) throw new Error(`${path}: ${JSON.stringify(value).slice(0, 500)}`);
  return value;
}
