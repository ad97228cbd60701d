import { type ProxyProgram, readSnippets, rewrite } from './snippets.ts';

/** Where a proxy listens and what it passes requests on to, on this machine. */
export interface Line {
  port: number;
  target: number;
  /** The second of two nodes. */
  second_target?: number;
  /** An empty folder of its own. */
  folder: string;
  /** PEM files: it speaks https and HTTP/2 with them. */
  tls?: { cert: string; key: string; both: string } | undefined;
}

/** A proxy of a set-up: the page's configuration, with what a set-up adds to it or changes. */
export interface Hop {
  program: ProxyProgram;
  /** Lines beside those that pass a request on. */
  lines?: string;
  changes?: readonly (readonly [string, string])[];
  /** HAProxy passes bytes on, and reads no request. */
  is_tcp?: boolean;
}

const PAGE_TARGET = '127.0.0.1:8000';
const PAGE_SECOND_TARGET = '127.0.0.1:8001';
const PAGE_BIND = ':443 ssl crt /etc/haproxy/club.example.pem alpn h2,http/1.1';
const NGINX_FOLDERS = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** Returns the whole configuration file of a proxy. */
export function configure(hop: Hop, line: Line): string {
  const changes = [...(hop.changes ?? []), [PAGE_TARGET, `127.0.0.1:${line.target}`] as const];
  const { second_target } = line;
  const snippet =
    second_target === undefined
      ? rewrite(readSnippets()[hop.program], changes)
      : rewrite(readTwoNodes(hop.program), [...changes, [PAGE_SECOND_TARGET, `127.0.0.1:${second_target}`]]);
  if (hop.program === 'nginx') return configureNginx(snippet, hop, line);
  if (hop.program === 'haproxy') return configureHaproxy(snippet, hop, line);
  return configureCaddy(snippet, hop, line);
}

/** Puts the page's lines for two nodes in the place that the page says. */
function readTwoNodes(program: ProxyProgram): string {
  const [one, two] = [readSnippets()[program], readSnippets(' two-nodes')[program]];
  if (program === 'nginx') return two + rewrite(one, [[`http://${PAGE_TARGET}`, 'http://sendlap']]);
  return program === 'haproxy' ? one.slice(0, one.indexOf('\nbackend sendlap') + 1) + two : two;
}

function configureNginx(snippet: string, { lines = '' }: Hop, { port, folder, tls }: Line): string {
  const begin = snippet.indexOf('location');
  const [upstream, location] = [snippet.slice(0, begin), snippet.slice(begin)];
  const paths = NGINX_FOLDERS.map((name) => `  ${name}_temp_path ${folder}/${name};\n`).join('');
  const listen = tls
    ? `listen 127.0.0.1:${port} ssl http2;\nssl_certificate ${tls.cert};\nssl_certificate_key ${tls.key};`
    : `listen 127.0.0.1:${port};`;
  // As root it would take another account, which cannot enter the folder.
  const user = process.getuid?.() === 0 ? 'user root;\n' : '';
  return `${user}daemon off;\nmaster_process off;\npid ${folder}/pid;\nerror_log stderr;\nevents {}
http {\n  access_log off;\n${paths}${upstream}  server {\n${listen}\n${lines}\n${location}  }\n}\n`;
}

function configureHaproxy(sections: string, { lines = '', is_tcp = false }: Hop, { port, tls }: Line): string {
  const bind = tls ? `127.0.0.1:${port} ssl crt ${tls.both} alpn h2,http/1.1` : `127.0.0.1:${port}`;
  const passing = rewrite(sections, [[PAGE_BIND, bind]]);
  const all = is_tcp ? rewrite(passing, [['  option forwardfor\n', '']]).replaceAll('mode http', 'mode tcp') : passing;
  return `global\n  maxconn 200\n\ndefaults\n  timeout client 60s\n${lines}\n${all}`;
}

function configureCaddy(site: string, { lines = '' }: Hop, { port, tls }: Line): string {
  const scheme = tls ? 'https' : 'http';
  const head = tls ? `  tls ${tls.cert} ${tls.key}\n${lines}` : lines;
  const own = rewrite(site, [['club.example {\n', `${scheme}://localhost:${port} {\n  bind 127.0.0.1\n${head}\n`]]);
  return `{\n  admin off\n  auto_https disable_redirects\n  skip_install_trust\n}\n\n${own}`;
}
