import { Redis } from 'ioredis';
import { type ChannelHooks, type EventChannel, withinLastWords } from './event-channel.ts';
import { encodeMessage, type NodeMessage } from './event-messages.ts';

const CONNECT_TIMEOUT_MS = 2000;
/** A Redis that takes longer is as good as away. */
const COMMAND_TIMEOUT_MS = 500;
const LOOK_MS = 10_000;
const MAX_RECONNECT_DELAY_MS = 500;
/** JSON writes such a character otherwise, so that it stands in no message. */
const SEPARATOR = '\x1e';

interface RedisEventsOptions extends ChannelHooks {
  url: string;
  /** Begins all names; no other database's nodes have the same. */
  prefix: string;
  /** Takes what cannot be said here. */
  otherwise: Pick<EventChannel, 'send'>;
  log: { warn(fields: object, text: string): void };
  /** How often it looks whether it is still heard. */
  look_ms?: number;
}

/**
 * Redis's publish and subscribe, each on a connection of its own. What is said in one turn goes as one message. What was
 * under way when the connection was lost is said again otherwise, perhaps twice.
 */
export function openRedisEventChannel(options: RedisEventsOptions): EventChannel {
  const { url, prefix, node_id, onMessage, onConnect, otherwise, log, look_ms = LOOK_MS } = options;
  const channel = `${prefix}events`;
  const settings = {
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    enableOfflineQueue: false,
    retryStrategy: (times: number) => Math.min(times * 50, MAX_RECONNECT_DELAY_MS),
  };
  const speaker = new Redis(url, settings);
  const listener = new Redis(url, { ...settings, autoResubscribe: false });
  let unsent: NodeMessage[] = [];
  let is_lost = false;
  /** It has stood before, or should have: the app does not wait for it. */
  let is_again = false;
  let flushed: Promise<unknown> = Promise.resolve();
  const given_up = new Set<Redis>();
  /** Drops a connection that answers no more, with all that waits on it, for another. */
  const replace = (redis: Redis) => {
    if (given_up.has(redis)) return;
    given_up.add(redis);
    redis.disconnect(true);
  };
  speaker.on('error', (error) => {
    if (!is_lost) log.warn({ err: error }, 'Redis cannot be reached; events go over the database');
    is_lost = true;
  });
  speaker.on('ready', () => {
    is_lost = false;
    given_up.delete(speaker);
  });
  listener.on('error', () => {});
  listener.on('close', () => {
    is_again = true;
  });
  const begin = () => onConnect(is_again);
  listener.on('ready', () => {
    given_up.delete(listener);
    listener.subscribe(channel).then(begin, () => replace(listener));
  });
  listener.on('message', (_channel, text) => {
    for (const message of text.split(SEPARATOR)) onMessage(message);
  });
  const look = setInterval(() => {
    if (listener.status === 'ready') listener.ping().catch(() => replace(listener));
  }, look_ms).unref();
  const flush = () => {
    if (unsent.length === 0) return;
    const messages = unsent;
    unsent = [];
    const text = messages.map((message) => encodeMessage(node_id, message)).join(SEPARATOR);
    const said = speaker.publish(channel, text).catch((error: unknown) => {
      otherwise.send(messages);
      // What waits would pile up. Until Redis answers on another connection, all goes otherwise.
      if (isTimeout(error)) replace(speaker);
    });
    flushed = Promise.all([flushed, said]);
  };
  return {
    send(messages) {
      if (speaker.status !== 'ready' || given_up.has(speaker)) return otherwise.send(messages);
      if (unsent.length === 0) setImmediate(flush);
      for (const message of messages) unsent.push(message);
    },
    async close() {
      clearInterval(look);
      flush();
      await withinLastWords(flushed);
      speaker.disconnect();
      listener.disconnect();
    },
  };
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Command timed out';
}
