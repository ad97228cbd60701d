import { connect, type Socket } from 'node:net';

export interface LineReply {
  /** 0: no whole answer came. */
  status: number;
  head: string;
  /** Of a refusal only. */
  body: string;
}

export interface HttpLines {
  /** Sends a request on a connection of its own, at once or as soon as one is free. */
  send(request: string, done: (reply: LineReply) => void): void;
  /** Requests that wait for a connection or an answer. */
  countOpen(): number;
  close(): void;
}

/** As the app: a phone gives a request up. */
const TIMEOUT_MS = 10_000;
const CHECK_INTERVAL_MS = 250;
const FIRST_REFUSAL = 400;
const NO_REPLY: LineReply = { status: 0, head: '', body: '' };

interface Exchange {
  request: string;
  done: (reply: LineReply) => void;
  deadline: number;
  is_repeat: boolean;
}

/** HTTP/1.1 over at most so many persistent connections, without the cost of a client library. */
export function openHttpLines(port: number, max_lines: number): HttpLines {
  const idle: Line[] = [];
  const lines = new Set<Line>();
  const waiting: Exchange[] = [];
  const start = (exchange: Exchange) => {
    const line = idle.pop() ?? openLine();
    line.exchange = exchange;
    line.socket.write(exchange.request, 'latin1');
  };
  const release = (line: Line) => {
    const next = waiting.shift();
    idle.push(line);
    if (next) start(next);
  };
  const finish = (line: Line, reply: LineReply) => {
    const { exchange } = line;
    line.exchange = undefined;
    exchange?.done(reply);
  };
  function openLine(): Line {
    const line: Line = { socket: connect({ port, host: '127.0.0.1', noDelay: true }), text: '', exchange: undefined };
    lines.add(line);
    line.socket.on('error', () => {});
    line.socket.on('data', (piece) => {
      line.text += piece.toString('latin1');
      const reply = takeReply(line);
      if (!reply) return;
      finish(line, reply);
      release(line);
    });
    line.socket.on('close', () => {
      lines.delete(line);
      const at = idle.indexOf(line);
      if (at >= 0) idle.splice(at, 1);
      const { exchange } = line;
      line.exchange = undefined;
      if (!exchange) return;
      // As browsers do: the server may have closed an idle connection at this moment.
      if (line.is_used && line.text === '' && !exchange.is_repeat) start({ ...exchange, is_repeat: true });
      else exchange.done(NO_REPLY);
    });
    return line;
  }
  const checks = setInterval(() => {
    const now = performance.now();
    while (waiting[0] && waiting[0].deadline < now) waiting.shift()?.done(NO_REPLY);
    for (const line of lines) {
      if (!line.exchange || line.exchange.deadline > now) continue;
      finish(line, NO_REPLY);
      line.socket.destroy();
    }
  }, CHECK_INTERVAL_MS);
  return {
    send(request, done) {
      const exchange = { request, done, deadline: performance.now() + TIMEOUT_MS, is_repeat: false };
      if (idle.length > 0 || lines.size < max_lines) start(exchange);
      else waiting.push(exchange);
    },
    countOpen: () => waiting.length + [...lines].filter(({ exchange }) => exchange).length,
    close() {
      clearInterval(checks);
      for (const { socket } of lines) socket.destroy();
    },
  };
}

interface Line {
  socket: Socket;
  text: string;
  exchange: Exchange | undefined;
  /** An earlier request was answered. */
  is_used?: boolean;
}

/** Returns the reply once all of it has come, and takes it off the line. */
function takeReply(line: Line): LineReply | undefined {
  const end = line.text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = line.text.slice(0, end);
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
  if (line.text.length < end + 4 + length) return undefined;
  const status = Number(head.slice(9, 12));
  const body = status >= FIRST_REFUSAL ? line.text.slice(end + 4, end + 4 + length) : '';
  line.text = '';
  line.is_used = true;
  return { status, head, body };
}
