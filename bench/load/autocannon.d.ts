declare module 'autocannon' {
  interface Client {
    setRequests(requests: { method: 'GET'; path: string; headers: Record<string, string> }[]): void;
  }
  interface Options {
    url: string;
    connections: number;
    duration: number;
    setupClient?(client: Client): void;
  }
  interface Result {
    non2xx: number;
    errors: number;
    requests: { average: number; total: number };
    /** Milliseconds. */
    latency: { p50: number; p99: number };
    throughput: { total: number };
  }
  export default function autocannon(options: Options): Promise<Result>;
}
