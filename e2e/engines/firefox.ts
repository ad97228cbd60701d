import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pollUntil } from '../../apps/api/test/delays.ts';
import { findFreePort } from '../../apps/api/test/free-port.ts';
import { collectOutput, endProcess } from '../server/server-process.ts';
import type { Engine } from './engine.ts';
import { startUnpacked } from './unpacked-browsers.ts';

const START_MS = 60_000;
const PARSED_MS = 5_000;
const VIEWPORT = { width: 390, height: 844 };

/** Starts Firefox, driven as the WebDriver BiDi standard says. Throws with its output if it does not start. */
export async function startFirefox(folder: string): Promise<Engine> {
  const profile = await mkdtemp(join(tmpdir(), 'sendlap-firefox-'));
  const close = async () => {
    if (browser) await endProcess(browser.process, 'SIGKILL');
    await rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  };
  let browser: Browser | undefined;
  try {
    browser = await launch(folder, profile);
    let { send, page } = browser;
    const engine: Engine = {
      name: `Firefox ${browser.version}`,
      needs_https: false,
      async open(url) {
        await send('browsingContext.navigate', { context: page, url, wait: 'none' });
        // Firefox may wait for good for a file that its page before has asked the worker for: its `complete` never comes.
        await pollUntil(() => engine.evaluate(isParsed, url).catch(() => false), { patience_ms: PARSED_MS });
      },
      async evaluate<Argument, Value>(run: (argument: Argument) => Value, argument: Argument) {
        const expression = `JSON.stringify([(${run})(${JSON.stringify(argument)})])`;
        const target = { context: page };
        const done = (await send('script.evaluate', { expression, target, awaitPromise: false })) as Evaluated;
        if (done.exceptionDetails) throw new Error(done.exceptionDetails.text);
        return JSON.parse(done.result?.value ?? '[]')[0] as Value;
      },
      async killAndStart() {
        if (browser) await endProcess(browser.process, 'SIGKILL');
        browser = await launch(folder, profile);
        ({ send, page } = browser);
      },
      close,
    };
    return engine;
  } catch (error) {
    await close();
    throw error;
  }
}

function isParsed(url: string): boolean {
  return location.href === url && document.readyState !== 'loading';
}

interface Browser {
  process: ChildProcess;
  version: string;
  send: Send;
  /** The id of its page. */
  page: string | undefined;
}

async function launch(folder: string, profile: string): Promise<Browser> {
  const port = await findFreePort();
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', `${port}`, 'about:blank'];
  const child = startUnpacked(folder, ['firefox-esr', ...args], { HOME: profile });
  const output = collectOutput();
  output.follow(child);
  try {
    const send = await connect(`ws://127.0.0.1:${port}/session`);
    const session = (await send('session.new', { capabilities: {} })) as Session;
    const tree = (await send('browsingContext.getTree', {})) as { contexts: { context: string }[] };
    const page = tree.contexts[0]?.context;
    await send('browsingContext.setViewport', { context: page, viewport: VIEWPORT });
    return { process: child, version: session.capabilities.browserVersion, send, page };
  } catch (error) {
    await endProcess(child, 'SIGKILL');
    throw new Error(`Firefox does not start: ${error instanceof Error ? error.message : error}\n${output.text()}`);
  }
}

interface Session {
  capabilities: { browserVersion: string };
}

interface Evaluated {
  result?: { value: string };
  exceptionDetails?: { text: string };
}

interface Answer {
  id?: number;
  result?: unknown;
  error?: string;
  message?: string;
}

type Send = (method: string, params: object) => Promise<unknown>;

async function connect(url: string): Promise<Send> {
  let socket: WebSocket | undefined;
  const isOpen = async () => {
    socket = await openSocket(url);
    return socket !== undefined;
  };
  await pollUntil(isOpen, { patience_ms: START_MS, interval_ms: 200 });
  if (!socket) throw new Error('it does not listen');
  const opened = socket;
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  opened.addEventListener('message', ({ data }) => {
    const { id = 0, result, error, message } = JSON.parse(String(data)) as Answer;
    const call = waiting.get(id);
    waiting.delete(id);
    if (error) call?.reject(new Error(`${error}: ${message}`));
    else call?.resolve(result);
  });
  opened.addEventListener('close', () => {
    for (const call of waiting.values()) call.reject(new Error('Firefox has ended'));
  });
  let last_id = 0;
  return (method, params) => {
    last_id += 1;
    const call = Promise.withResolvers<unknown>();
    waiting.set(last_id, call);
    opened.send(JSON.stringify({ id: last_id, method, params }));
    return call.promise;
  };
}

function openSocket(url: string): Promise<WebSocket | undefined> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url);
    socket.addEventListener('open', () => resolve(socket));
    socket.addEventListener('error', () => resolve(undefined));
  });
}
