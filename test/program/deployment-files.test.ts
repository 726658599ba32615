import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Glob } from 'bun';
import { parse, parseAllDocuments, stringify } from 'yaml';
import schema from '../../docs/tollgate.schema.json' with { type: 'json' };
import packageFile from '../../package.json' with { type: 'json' };
import { isForOperators } from '../../src/edge/http/is-for-operators.ts';
import { problemsOf } from '../../src/settings/config/testing/config-of.ts';

const root = join(import.meta.dir, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const list = (pattern: string): string[] => [...new Glob(pattern).scanSync({ cwd: root, dot: true })].sort();

const CHART = 'deploy/helm/tollgate';
const dockerfile = read('Dockerfile').replaceAll('\\\n', ' ');
const compose = parse(read('deploy/compose/compose.yaml'));
const values = parse(read(`${CHART}/values.yaml`));
const unit = read('deploy/systemd/tollgate.service');
const nginx = read('deploy/nginx/tollgate.conf');
const twoNodes = read('deploy/nginx/two-nodes.conf');
const haproxy = read('deploy/haproxy/haproxy.cfg');
const caddy = read('deploy/caddy/Caddyfile');

const instructions = dockerfile
  .split('\n')
  .map((line) => /^([A-Z]+) +(.*)$/.exec(line))
  .flatMap((match) => (match ? [{ name: match[1]!, text: match[2]!.trim() }] : []));
const textsOf = (name: string): string[] =>
  instructions.filter((instruction) => instruction.name === name).map(({ text }) => text);

/** The files that the image is built from. */
const copied = textsOf('COPY')
  .filter((text) => !text.startsWith('--from='))
  .flatMap((text) => text.split(/ +/).slice(0, -1))
  // A pattern copies what there is.
  .filter((path) => !path.includes('['));

type Setting = { default?: number };
const server: Readonly<Record<string, Setting | undefined>> = schema.properties.server.properties as never;
const defaultOf = (name: string, otherwise?: number): number => server[name]?.default ?? otherwise!;
const notice = defaultOf('drain_notice_s', 5);
const drain = defaultOf('drain_s');

const seconds = (text: string): number => {
  const [, number, unitName] = /^(\d+)(s|m)?$/.exec(text)!;
  return Number(number) * (unitName === 'm' ? 60 : 1);
};

describe('a stop leaves time for the notice and the drain', () => {
  test('under systemd', () => {
    expect(seconds(/^TimeoutStopSec=(\S+)$/m.exec(unit)![1]!)).toBeGreaterThan(notice + drain);
  });

  test('under Docker Compose', () => {
    expect(seconds(compose.services.gateway.stop_grace_period)).toBeGreaterThan(notice + drain);
  });

  test('in Kubernetes, where the chart adds a margin to the configured times or to their defaults', () => {
    const helpers = read(`${CHART}/templates/_helpers.tpl`);
    const [, assumedNotice] = /\$notice := (\d+)/.exec(helpers)!;
    const [, assumedDrain] = /\$drain := (\d+)/.exec(helpers)!;
    expect({ assumedNotice: Number(assumedNotice), assumedDrain: Number(assumedDrain) }).toEqual({
      assumedNotice: notice,
      assumedDrain: drain,
    });
    expect(helpers).toContain('addf $notice $drain .Values.stopMarginSeconds');
    expect(values.stopMarginSeconds).toBeGreaterThanOrEqual(5);
    expect(helpers).toContain('terminationGracePeriodSeconds: {{ include "tollgate.stopSeconds" . }}');
  });
});

test('Kubernetes does not end a start while it migrates the store, which can take an hour', () => {
  const helpers = read(`${CHART}/templates/_helpers.tpl`);
  const [, period, failures] = /startupProbe:[\s\S]*?periodSeconds: (\d+)\s+failureThreshold: (\d+)/.exec(
    helpers,
  )!;
  expect(Number(period) * Number(failures)).toBeGreaterThanOrEqual(3_600);
});

test('every YAML and JSON file parses', () => {
  const files = list('deploy/**/*.{yaml,yml,json}').filter((path) => !path.includes('/templates/'));
  expect(files.length).toBeGreaterThan(10);
  for (const path of files) {
    const text = read(path);
    if (path.endsWith('.json')) JSON.parse(text);
    else expect(parseAllDocuments(text).flatMap(({ errors }) => errors)).toEqual([]);
  }
});

test('every file that the Dockerfile and the compose file use exists', () => {
  const mounted = Object.values<{ volumes?: string[] }>(compose.services)
    .flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(':')[0]!))
    .filter((source) => source.startsWith('.'))
    .map((source) => join('deploy/compose', source));
  expect(copied.length).toBeGreaterThan(5);
  expect(mounted.length).toBeGreaterThan(4);
  expect([...copied, ...mounted].filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(existsSync(join(root, 'deploy/compose', compose.services.gateway.build.context, 'Dockerfile'))).toBe(
    true,
  );
});

test('the context of the image has the files that it copies, and no tests', () => {
  const lines = read('.dockerignore').split('\n');
  const kept = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  const isKept = (path: string, line: string): boolean =>
    line === path || line.startsWith(`${path}/`) || path.startsWith(`${line}/`);
  const missing = copied.filter((path) => !kept.some((line) => isKept(path, line)));
  expect(missing).toEqual([]);
  expect(lines).toContain('*');
  expect(lines.indexOf('**/*.test.ts')).toBeGreaterThan(lines.indexOf('!src'));
});

test('images have fixed versions, and the gateway runs as a user without rights on a read-only root', () => {
  const used = [
    ...textsOf('FROM').map((text) => text.split(' ')[0]!),
    ...Object.values<{ image: string }>(compose.services).map(({ image }) => image),
  ].filter((image) => image !== 'tollgate:local');
  expect(used.length).toBe(4);
  for (const image of used) expect(image).toMatch(/:v?\d+\.\d+\.\d+|:\d+\.\d+-slim$/);
  expect(textsOf('USER')).toEqual(['10001:10001']);
  expect(textsOf('HEALTHCHECK')).toHaveLength(1);
  expect(compose.services.gateway).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  const pod = read(`${CHART}/templates/_helpers.tpl`);
  for (const line of ['readOnlyRootFilesystem: true', 'runAsNonRoot: true', 'runAsUser: 10001'])
    expect(pod).toContain(line);
});

test('the image of a release has the user, the data and the health check of the image of a clone', () => {
  const release = read('deploy/image/Dockerfile');
  for (const name of ['USER', 'WORKDIR', 'VOLUME', 'EXPOSE', 'ENTRYPOINT', 'CMD'])
    expect(release).toContain(`\n${name} ${textsOf(name).at(-1)}\n`);
  expect(release).toContain('/opt/tollgate/healthcheck.mjs');
  const bases = [...`${dockerfile}\n${release}`.matchAll(/^FROM (?:--\S+ )?(debian\S+)/gm)].map(
    ([, base]) => base,
  );
  expect(new Set(bases).size).toBe(1);
  expect(read('scripts/release/sbom-contents.ts')).toContain(`version: '${bases[0]!.split(':')[1]}'`);
});

test('no password of the compose files has a default', () => {
  const files = ['compose.yaml', 'postgres.yaml'].map((name) => read(`deploy/compose/${name}`)).join('\n');
  const passwords = [...files.matchAll(/\$\{(\w*PASSWORD)(\S\S)/g)].map(([, name, rest]) => [name, rest]);
  expect(new Set(passwords.map(([name]) => name))).toEqual(
    new Set(['GRAFANA_ADMIN_PASSWORD', 'POSTGRES_PASSWORD']),
  );
  for (const [, rest] of passwords) expect(rest).toBe(':?');
});

test('no port of the compose file is open to other machines', () => {
  const ports = Object.values<{ ports: string[] }>(compose.services).flatMap((service) => service.ports);
  expect(ports.length).toBe(4);
  for (const port of ports) expect(port).toStartWith('127.0.0.1:');
});

test('every variable of the deployment files is one that a program reads', () => {
  const assigned = [
    ...textsOf('ENV').flatMap((text) => [...text.matchAll(/([A-Z_]+)=/g)].map(([, name]) => name!)),
    ...[...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, text]) =>
      [...text!.matchAll(/([A-Z_]+)=/g)].map(([, name]) => name!),
    ),
    ...Object.keys(compose.services.gateway.environment),
    ...parse(read(`${CHART}/ci/everything-values.yaml`)).env.map(({ name }: { name: string }) => name),
  ];
  const ofRuntime = new Set(['BUN_RUNTIME_TRANSPILER_CACHE_PATH', 'NODE_ENV']);
  const sources = ['bin/tollgate', ...list('src/**/*.ts')].map(read).join('\n');
  expect(assigned).toContain('TOLLGATE_RUNTIME');
  expect(
    assigned.filter((name) => !ofRuntime.has(name) && !new RegExp(`\\b${name}\\b`).test(sources)),
  ).toEqual([]);
});

describe('the gateway accepts its configuration', () => {
  const comment = (text: string): string => /^# +(server: \{.*\})$/m.exec(text)![1]!;
  test.each([
    ['of the compose file', read('deploy/compose/config/tollgate.yaml')],
    ['of the chart', stringify(values.config)],
    ['of the chart with everything', stringify(parse(read(`${CHART}/ci/everything-values.yaml`)).config)],
    ['that the example of nginx recommends', comment(nginx)],
    ['that the example of Caddy recommends', comment(caddy)],
    ['that the example of nginx for two nodes recommends', comment(twoNodes)],
    ['that the example of HAProxy recommends', comment(haproxy)],
  ])('%s', (_, text) => {
    expect(problemsOf(text)).toEqual([]);
  });
});

test('proxies close idle connections before the gateway does, and pass the largest uploads', () => {
  const idle = defaultOf('idle_timeout_s');
  expect(seconds(/keepalive_timeout (\S+);/.exec(nginx)![1]!)).toBeLessThan(idle);
  expect(seconds(/keepalive (\S+)$/m.exec(caddy)![1]!)).toBeLessThan(idle);
  const { default: megabytes } = schema.properties.limits.properties.max_upload_mb;
  for (const text of [nginx, read('deploy/nginx/two-nodes.conf')])
    expect(Number(/client_max_body_size (\d+)m;/.exec(text)![1])).toBeGreaterThan(megabytes as number);
  const values = read('deploy/helm/tollgate/values.yaml');
  expect(Number(/proxy-body-size: (\d+)m/.exec(values)![1])).toBeGreaterThan(megabytes as number);
  // Caddy and HAProxy have no limit of their own. A limit in the examples would have to allow uploads.
  expect(caddy + haproxy).not.toMatch(/max_size|req\.body_size|body_size/);
});

test('the examples of proxies recommend a listener for operators, and close what is for operators [AUT-31]', () => {
  const roots = ['/admin', '/metrics', '/operator', '/dashboard/v1/operator'];
  expect(roots.filter(isForOperators)).toEqual(roots);
  const closed = [...nginx.matchAll(/location ~\* (\S+) \{\s+return 404;/g)].map(
    ([, text]) => new RegExp(text!, 'i'),
  );
  const names = / path (.*)/.exec(caddy)![1]!.split(' ');
  for (const root of roots) {
    expect(closed.some((one) => one.test(root) && one.test(`${root}/x`) && !one.test(`${root}x`))).toBe(true);
    expect(names).toContain(root);
    expect(names).toContain(`${root}/*`);
  }
  for (const example of [nginx, twoNodes, haproxy])
    expect(example).toContain('(admin|metrics|operator|dashboard/v1/operator)(/|$)');
  for (const example of [nginx, twoNodes, caddy, haproxy])
    expect(example).toContain('admin_listen: "127.0.0.1:9090"');
});

test('idle connections of nginx end before a draining node ends them, and no POST is sent twice', () => {
  expect(seconds(/keepalive_timeout (\S+);/.exec(twoNodes)![1]!)).toBeLessThan(notice);
  expect(twoNodes).not.toContain('non_idempotent');
  expect(/retry-on (.*)/.exec(haproxy)![1]).toBe('conn-failure');
  expect(haproxy).toContain('uri /readyz');
});

describe('the Helm chart', () => {
  test('has the version of the program', () => {
    const { version, appVersion } = parse(read(`${CHART}/Chart.yaml`));
    expect({ version, appVersion }).toEqual({
      version: packageFile.version,
      appVersion: packageFile.version,
    });
  });

  test('describes each of its values in the schema', () => {
    type Node = { properties?: Record<string, Node>; additionalProperties?: unknown };
    const described = JSON.parse(read(`${CHART}/values.schema.json`)) as Node;
    const missing = Object.entries(values).flatMap(([name, value]) => {
      const node = described.properties?.[name];
      if (node === undefined) return [name];
      if (node.additionalProperties !== false) return [];
      return Object.keys(value as object).flatMap((key) =>
        node.properties?.[key] ? [] : [`${name}.${key}`],
      );
    });
    expect(missing).toEqual([]);
    expect(described.additionalProperties).toBe(false);
  });

  test('refuses a spool where the volume ends with its pod', () => {
    expect(read(`${CHART}/templates/configmap.yaml`)).toContain(
      '(merge (dict "spool" "refuse") $config.store)',
    );
    expect(read(`${CHART}/templates/gateway.yaml`)).toMatch(
      /eq \(dig "store" "spool" "refuse" .*\) "file"\) }}\n.*fail/,
    );
  });

  test('scales by a metric that the gateway has', () => {
    const [, metric] = /name: (tollgate_\w+)/.exec(read(`${CHART}/templates/horizontalpodautoscaler.yaml`))!;
    expect(read('docs/operations/metrics.md')).toContain(`| \`${metric}\` | gauge |`);
  });
});

describe('the health check of the image', () => {
  const data = mkdtempSync(join(tmpdir(), 'tollgate-health-'));
  let status = 200;
  const gateway = Bun.serve({
    port: 0,
    fetch: ({ url }) => new Response(null, { status: new URL(url).pathname === '/healthz' ? status : 404 }),
  });
  afterAll(async () => {
    await gateway.stop(true);
    rmSync(data, { recursive: true, force: true });
  });

  async function check(): Promise<number> {
    const child = Bun.spawn([process.execPath, join(root, 'deploy/docker/healthcheck.mjs')], {
      env: { DATA_DIR: data },
      stderr: 'ignore',
    });
    return child.exited;
  }

  test('fails before the server has started and when it is unwell, and succeeds otherwise', async () => {
    expect(await check()).toBe(1);
    writeFileSync(join(data, 'address'), `http://127.0.0.1:${gateway.port}\n`);
    expect(await check()).toBe(0);
    status = 503;
    expect(await check()).toBe(1);
  });
});
