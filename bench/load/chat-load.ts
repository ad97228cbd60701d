import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { CannonOrder, ChatFigure } from './chat-cannon.ts';
import { nextMessage } from './measured-server.ts';

const CANNON = fileURLToPath(new URL('./chat-cannon.ts', import.meta.url));

/** A load generator whose streams are all open. */
export interface ChatLoad {
  /** Throws unless every message was accepted and delivered exactly once. */
  run(order: Extract<CannonOrder, { duration_s: number }>): Promise<ChatFigure>;
  close(): void;
}

/** Starts a load generator in a process of its own. */
export async function openChatLoad(open: Extract<CannonOrder, { chat: object }>): Promise<ChatLoad> {
  const child = fork(CANNON);
  const send = <Answer>(order: CannonOrder): Promise<Answer> => {
    child.send(order);
    return nextMessage<Answer>(child);
  };
  await send(open);
  return {
    async run(order) {
      const figure = await send<ChatFigure>(order);
      const { sent, acknowledged, delivered, delivered_again } = figure;
      if (acknowledged !== sent || delivered !== sent || delivered_again > 0) {
        throw new Error(
          `of ${sent} messages ${acknowledged} were accepted, ${delivered} delivered, ${delivered_again} again`,
        );
      }
      return figure;
    },
    close: () => void child.kill(),
  };
}
