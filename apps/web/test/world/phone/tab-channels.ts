import type { TabChannel } from '#web/shared/lib/tab-channel.ts';
import type { PageLife } from './page-life.ts';

/** Between the tabs of one browser. */
export function createTabChannels() {
  const listeners: { name: string; life: PageLife; listener: (message: never) => void }[] = [];

  return {
    openFor<Message>(name: string, life: PageLife): TabChannel<Message> {
      return {
        post(message) {
          if (!life.is_alive) return;
          const others = listeners.filter((other) => other.name === name && other.life !== life);
          for (const other of others)
            setImmediate(() => other.life.is_alive && other.listener(structuredClone(message) as never));
        },
        listen: (listener) => void listeners.push({ name, life, listener }),
      };
    },
  };
}

export type TabChannels = ReturnType<typeof createTabChannels>;
