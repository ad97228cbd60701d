import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A vector tile server that records its requests, and may misbehave. */
export interface TileHost {
  /** With {z}, {x} and {y}. */
  template: string;
  requests: { url: string; headers: IncomingHttpHeaders }[];
  /** The layers of every tile. */
  layers: string[];
  /** Answers for the description of the tiles; null: 404. */
  tile_json: object | null;
  /** Answers for tiles in place of the host. */
  misbehave: RequestListener | undefined;
  close(): Promise<void>;
}

const OPENMAPTILES = ['water', 'transportation', 'building'];
export const PROTOMAPS = ['water', 'roads', 'buildings'];

export async function openTileHost(): Promise<TileHost> {
  const server = createServer((request, response) => {
    const { url = '', headers } = request;
    host.requests.push({ url, headers });
    const [, z, x, y] = /^\/map\/(\d+)\/(\d+)\/(\d+)\.pbf\?key=\w+$/.exec(url) ?? [];
    if (z === undefined) {
      const is_found = url === '/map.json?key=k' && host.tile_json;
      response.writeHead(is_found ? 200 : 404).end(is_found ? JSON.stringify(host.tile_json) : 'no');
    } else if (host.misbehave) host.misbehave(request, response);
    else response.end(encodeTile([...host.layers, `of ${z}/${x}/${y}`]));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const host: TileHost = {
    template: `http://127.0.0.1:${(server.address() as AddressInfo).port}/map/{z}/{x}/{y}.pbf?key=k`,
    requests: [],
    layers: OPENMAPTILES,
    tile_json: null,
    misbehave: undefined,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  return host;
}

/** Returns a vector tile with these layers, all empty. Each has a name of less than 100 bytes. */
export function encodeTile(layers: readonly string[]): Buffer {
  return Buffer.concat(
    layers.map((name) => {
      const version = Buffer.of(15 * 8, 2);
      const layer = Buffer.concat([version, Buffer.of(1 * 8 + 2, name.length), Buffer.from(name)]);
      return Buffer.concat([Buffer.of(3 * 8 + 2, layer.length), layer]);
    }),
  );
}
