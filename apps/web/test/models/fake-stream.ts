import type { LiveEvent } from '@sendlap/contract/events.ts';

/** Transient events have no id and are never sent again. */
const OF_THE_MOMENT = new Set<LiveEvent['type']>(['leaderboard_changed', 'presence_changed', 'typing', 'resync']);

/** The live stream of the fake server: gapless ids, resume by Last-Event-ID. */
export function createFakeStream() {
  const kept: { id: number; text: string }[] = [];
  const open = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const encoder = new TextEncoder();
  let opened = Promise.withResolvers<void>();
  let is_open = true;
  let held = Promise.resolve();

  const write = (text: string) => {
    for (const controller of open) controller.enqueue(encoder.encode(text));
  };

  return {
    async open(request: Request): Promise<Response> {
      if (!is_open) throw new TypeError('Failed to fetch');
      await held;
      const last_id = Number(request.headers.get('last-event-id') ?? Number.NaN);
      const missed = Number.isNaN(last_id) ? [] : kept.filter(({ id }) => id > last_id);
      const position = kept.at(-1)?.id ?? 0;
      let own: ReadableStreamDefaultController<Uint8Array>;
      const body = new ReadableStream<Uint8Array>({
        cancel: () => void open.delete(own),
        start(controller) {
          own = controller;
          open.add(controller);
          const first = missed.map(({ text }) => text).join('') || `id: ${position}\n\n`;
          controller.enqueue(encoder.encode(first));
        },
      });
      opened.resolve();
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    },
    /** Resolves once the app follows the stream: events sent earlier do not arrive live. */
    opened: () => opened.promise,
    tell(event: LiveEvent): void {
      const data = `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
      if (OF_THE_MOMENT.has(event.type)) {
        write(data);
        return;
      }
      const id = (kept.at(-1)?.id ?? 0) + 1;
      kept.push({ id, text: `id: ${id}\n${data}` });
      write(`id: ${id}\n${data}`);
    },
    /** Closes the open streams; the app may reconnect. */
    cut(): void {
      for (const controller of open) controller.close();
      open.clear();
      opened = Promise.withResolvers();
    },
    /** Drops the open streams without closing them: their page is gone, and must not reconnect. */
    abandon(): void {
      open.clear();
      opened = Promise.withResolvers();
    },
    /** Delays new streams until the returned function is called. */
    hold(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    /** Whether new streams are accepted. */
    setOpen(value: boolean): void {
      is_open = value;
    },
  };
}
