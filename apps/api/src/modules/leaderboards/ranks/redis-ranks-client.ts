import { Redis } from 'ioredis';
import { AppError } from '#api/platform/errors.ts';
import type { RedisScript } from './redis-ranks-scripts.ts';

const CONNECT_TIMEOUT_MS = 2000;
const COMMAND_TIMEOUT_MS = 5000;
const MAX_RECONNECT_DELAY_MS = 500;
const RETRY_AFTER_S = 2;

type Argument = string | number | Buffer;

export interface RedisClient {
  /** Rises whenever the connection is lost: what came before it may be gone, for Redis may have started anew. */
  epoch(): number;
  /** Runs the script on the root key; texts come back as buffers. Throws `unavailable` where Redis cannot be asked. */
  run(script: RedisScript, args: Argument[]): Promise<unknown>;
  close(): void;
}

export interface RedisClientOptions {
  url: string;
  root: string;
  log: { warn(fields: object, text: string): void };
}

/**
 * One connection, which comes back by itself. Nothing is sent twice: a command that was under way when the connection was
 * lost fails, and so does one that waits for it in vain.
 */
export function openRedis({ url, root, log }: RedisClientOptions): RedisClient {
  const redis = new Redis(url, {
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    socketTimeout: COMMAND_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (times) => Math.min(times * 50, MAX_RECONNECT_DELAY_MS),
  });
  let epoch = 0;
  let is_lost = false;
  redis.on('close', () => {
    epoch += 1;
  });
  redis.on('ready', () => {
    is_lost = false;
  });
  redis.on('error', (error) => {
    if (!is_lost) log.warn({ err: error }, 'Redis cannot be reached; boards wait for it');
    is_lost = true;
  });

  const send = (command: string, text: string, args: Argument[]) => redis.callBuffer(command, text, 1, root, ...args);
  return {
    epoch: () => epoch,
    async run({ lua, sha }, args) {
      try {
        return await send('EVALSHA', sha, args).catch((error: Error) => {
          if (!error.message.startsWith('NOSCRIPT')) throw error;
          return send('EVAL', lua, args);
        });
      } catch (error) {
        // What a script itself does wrong is our own fault; all else is the weather.
        if (error instanceof Error && error.name === 'ReplyError' && error.message.startsWith('ERR ')) throw error;
        throw new AppError('unavailable', 'The boards cannot be read just now', {
          cause: error,
          retry_after_s: RETRY_AFTER_S,
        });
      }
    },
    close: () => redis.disconnect(),
  };
}
