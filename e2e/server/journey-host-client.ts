import { type ChildProcess, spawn } from 'node:child_process';
import { COMPILE_CACHE, DATABASE_SERVER_VARIABLE, ROOT } from './journey-environment.ts';
import type { HostCall, HostCalls, HostReply } from './journey-host-calls.ts';
import type { Server } from './server.ts';
import { collectOutput, endProcess, setShift } from './server-process.ts';

/** A process that runs one server after another, so that the app's modules are loaded once for many test files. */
export interface JourneyHost {
  /** Starts a server on a new copy of the run's database template; the previous server must be removed first. */
  open(settings: Record<string, string>): Promise<Server>;
  /** Ends the process and its server. */
  end(): Promise<void>;
}

export function startJourneyHost(): JourneyHost {
  const server_url = process.env[DATABASE_SERVER_VARIABLE];
  if (!server_url) throw new Error(`${DATABASE_SERVER_VARIABLE} is not set: the global set-up sets it`);
  const output = collectOutput();
  const child = spawn(
    process.execPath,
    ['--import', './e2e/server/shiftable-clock.mjs', 'e2e/server/journey-host.ts', server_url],
    {
      cwd: ROOT,
      env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...process.env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  );
  output.follow(child);
  const call = createCaller(child, output.text);
  return {
    async open(settings) {
      output.clear();
      let shift_ms = 0;
      await setShift(child, shift_ms);
      const address = await call('open', { LOG_LEVEL: 'info', ...settings });
      return {
        ...address,
        sendlap: (...args) => call('sendlap', args),
        createAccount: (account) => call('createAccount', account),
        stop: () => call('stop'),
        start: () => call('start'),
        now: () => Date.now() + shift_ms,
        async passTime(duration_ms) {
          shift_ms += duration_ms;
          await setShift(child, shift_ms);
        },
        log: output.text,
        remove: () => call('close'),
      };
    },
    end: () => endProcess(child, 'SIGTERM'),
  };
}

type Call = <Name extends keyof HostCalls>(
  name: Name,
  ...args: Parameters<HostCalls[Name]>
) => ReturnType<HostCalls[Name]>;

/** Calls the host's functions. They throw the host's errors, and also if the host ends before its answer. */
function createCaller(child: ChildProcess, log: () => string): Call {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let last_id = 0;
  child.on('message', (reply: HostReply | object) => {
    if (!('id' in reply)) return;
    const asked = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ('error' in reply) asked?.reject(new Error(reply.error));
    else asked?.resolve(reply.value);
  });
  child.once('exit', (code, signal) => {
    const error = new Error(`the journey host ended with ${code ?? signal}:\n${log()}`);
    for (const asked of waiting.values()) asked.reject(error);
  });
  const ask = (name: keyof HostCalls, argument?: unknown): Promise<unknown> => {
    last_id += 1;
    const message: HostCall = { id: last_id, name, argument };
    const asked = Promise.withResolvers<unknown>();
    waiting.set(message.id, asked);
    child.send(message, (error) => error && asked.reject(error));
    return asked.promise;
  };
  return ask as Call;
}
