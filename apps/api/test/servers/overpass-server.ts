import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface OverpassElement {
  type: 'node' | 'way';
  id: number;
  lat: number;
  lon: number;
  tags: Record<string, string>;
}

/** Replies to the query with this number (from 1 on). */
type Reply = (response: ServerResponse, elements: OverpassElement[], query: number) => void;

/** A fake Overpass server: returns the elements in the queried box, or misbehaves by `reply`. */
export class OverpassServer {
  /** Returns all elements, as a server in good health does. */
  static whole: Reply = (response, elements) => void response.end(JSON.stringify({ version: 0.6, elements }));

  readonly #server: Server;
  #url = '';
  #open = 0;
  elements: OverpassElement[] = [];
  reply: Reply = OverpassServer.whole;
  /** The boxes of all queries: south, west, north, east. */
  queries: string[] = [];
  /** The most queries that were open at the same time. */
  most_at_once = 0;

  private constructor() {
    this.#server = createServer(async (request, response) => {
      this.#open += 1;
      this.most_at_once = Math.max(this.most_at_once, this.#open);
      response.once('close', () => {
        this.#open -= 1;
      });
      let body = '';
      for await (const chunk of request) body += String(chunk);
      const box = /\[bbox:([^\]]+)\]/.exec(new URLSearchParams(body).get('data') ?? '')?.[1] ?? '';
      this.queries.push(box);
      const [south = 0, west = 0, north = 0, east = 0] = box.split(',').map(Number);
      const found = this.elements.filter(({ lat, lon }) => lat >= south && lat <= north && lon >= west && lon <= east);
      this.reply(response, found, this.queries.length);
    });
  }

  static async start(): Promise<OverpassServer> {
    const overpass = new OverpassServer();
    overpass.#server.listen(0, '127.0.0.1');
    await once(overpass.#server, 'listening');
    overpass.#url = `http://127.0.0.1:${(overpass.#server.address() as AddressInfo).port}/api/interpreter`;
    return overpass;
  }

  get url(): string {
    return this.#url;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}

/** A climbing hall with a name. */
export function hall(id: number, lat: number, lon: number): OverpassElement {
  const tags = { leisure: 'sports_centre', sport: 'climbing', indoor: 'yes', name: `Sala ${id}` };
  return { type: 'node', id, lat, lon, tags };
}
