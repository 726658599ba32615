// Makes the examples of proxies run on this machine: on loopback ports, with a certificate of their own.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The host in the examples. */
export const HOST = 'gateway.example.com';
/** The addresses of the nodes in the examples with two nodes. */
const TWO_NODES = ['192.0.2.11:8080', '192.0.2.12:8080'];
/** The kinds of temporary files whose folders nginx needs. */
const TEMPORARY_FILES = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/**
 * Replaces texts. A text that the example lacks is an error, since the copy would then differ from what was
 * meant.
 */
function adapt(text, replacements) {
  for (const [from, to] of replacements)
    if (!text.includes(from)) throw new Error(`no '${from}' for '${to}'`);
  return replacements.reduce((adapted, [from, to]) => adapted.replaceAll(from, to), text);
}

/** Two examples of nginx differ in the addresses of their nodes. */
const nginxFile = (path, nodes) => (root, places) => {
  const { scratch, port, redirectPort, gatewayPorts, certificate, key } = places;
  const example = adapt(readFileSync(join(root, path), 'utf8'), [
    ...nodes.map((node, index) => [`server ${node}`, `server 127.0.0.1:${gatewayPorts[index]}`]),
    ['listen 80;', `listen 127.0.0.1:${redirectPort};`],
    ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
    [`/etc/ssl/certs/${HOST}.pem`, certificate],
    [`/etc/ssl/private/${HOST}.key`, key],
  ]);
  const paths = TEMPORARY_FILES.map((name) => `  ${name}_temp_path ${join(scratch, name)};`).join('\n');
  const user = process.getuid?.() === 0 ? 'user root;\n' : '';
  return `${user}daemon off;
pid ${join(scratch, 'nginx.pid')};
error_log stderr;
events {}
http {
  access_log off;
${paths}
${example}
}
`;
};

const caddyFile = (root, { port, gatewayPorts, certificate, key }) =>
  `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${adapt(
    readFileSync(join(root, 'deploy/caddy/Caddyfile'), 'utf8'),
    [
      [`${HOST} {\n`, `${HOST}:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}\n`],
      ['reverse_proxy 127.0.0.1:8080', `reverse_proxy 127.0.0.1:${gatewayPorts[0]}`],
    ],
  )}`;

function haproxyFile(root, { scratch, port, redirectPort, gatewayPorts, certificate, key }) {
  const both = join(scratch, 'certificate-and-key.pem');
  writeFileSync(both, readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'));
  return adapt(readFileSync(join(root, 'deploy/haproxy/haproxy.cfg'), 'utf8'), [
    [`/etc/haproxy/certs/${HOST}.pem`, both],
    ['bind :80', `bind 127.0.0.1:${redirectPort}`],
    ['bind :443', `bind 127.0.0.1:${port}`],
    ...TWO_NODES.map((node, index) => [` ${node}`, ` 127.0.0.1:${gatewayPorts[index]}`]),
  ]);
}

const nginx = (path, nodes) => ({
  write: nginxFile(path, nodes),
  check: (file) => ['nginx', '-t', '-q', '-e', 'stderr', '-c', file],
  start: (file) => ['nginx', '-e', 'stderr', '-c', file],
});

/** The proxies. `write` makes the configuration file, and `check` and `start` return the commands for it. */
export const proxies = {
  nginx: nginx('deploy/nginx/tollgate.conf', ['127.0.0.1:8080']),
  'nginx-two-nodes': nginx('deploy/nginx/two-nodes.conf', TWO_NODES),
  caddy: {
    write: caddyFile,
    check: (file) => ['caddy', 'validate', '--adapter', 'caddyfile', '--config', file],
    start: (file) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', file],
  },
  haproxy: {
    write: haproxyFile,
    check: (file) => ['haproxy', '-c', '-q', '-f', file],
    start: (file) => ['haproxy', '-db', '-f', file],
  },
};

/** Writes the adapted example of a proxy into the scratch directory, and returns the path of the file. */
export function writeExample(name, root, places) {
  mkdirSync(places.scratch, { recursive: true });
  const file = join(places.scratch, `${name}.conf`);
  writeFileSync(file, proxies[name].write(root, places));
  return file;
}
