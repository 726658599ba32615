import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lookUp } from '../../base/lib/records.ts';

/** A file of the site: where the installation has it, and where the site has it. */
export type SourceFile = { source: string; place: string };

/** The folder of the installation. */
export const root = join(import.meta.dir, '..', '..', '..');

const DOCUMENTS = 'docs';

/** The files outside of `docs/` that documents link to, and their places in the site. */
const outside: Readonly<Record<string, string>> = {
  'README.md': 'overview.md',
  'CHANGELOG.md': 'changelog.md',
  'CONTRIBUTING.md': 'contributing.md',
  'SECURITY.md': 'security.md',
  'bench/README.md': 'benchmark-tools.md',
  'bench/onthebench/README.md': 'onthebench.md',
  LICENSE: 'license.txt',
  'deploy/caddy/Caddyfile': 'deploy/Caddyfile.txt',
  'deploy/compose/compose.yaml': 'deploy/compose.yaml',
  'deploy/compose/postgres.yaml': 'deploy/postgres.yaml',
  'deploy/grafana/tollgate.json': 'deploy/grafana.json',
  'deploy/haproxy/haproxy.cfg': 'deploy/haproxy.cfg.txt',
  'deploy/helm/tollgate/values.yaml': 'deploy/helm-values.yaml',
  'deploy/nginx/tollgate.conf': 'deploy/nginx.conf.txt',
  'deploy/nginx/two-nodes.conf': 'deploy/nginx-two-nodes.conf.txt',
  'deploy/prometheus/alerts.yml': 'deploy/alerts.yml',
  'deploy/systemd/tollgate.service': 'deploy/tollgate.service.txt',
};

/** Returns the address of a repository's file on the site. Returns undefined if the site does not have it. */
export function placeOf(source: string): string | undefined {
  if (!source.startsWith(`${DOCUMENTS}/`)) return lookUp(outside, source);
  return source.slice(DOCUMENTS.length + 1).replace(/(^|\/)README\.md$/, '$1index.md');
}

/** Lists the documents and the files that they link to, as far as the installation has them. */
export function sourceFiles(): SourceFile[] {
  const documents = (readdirSync(join(root, DOCUMENTS), { recursive: true }) as string[])
    .filter((name) => /\.(md|svg|yaml)$|^[^/\\]+\.json$/.test(name))
    .map((name) => `${DOCUMENTS}/${name.replaceAll('\\', '/')}`)
    .sort();
  const linked = Object.keys(outside).filter((source) => existsSync(join(root, source)));
  return [...documents, ...linked].map((source) => ({ source, place: placeOf(source)! }));
}

export const readSource = (source: string): string => readFileSync(join(root, source), 'utf8');
