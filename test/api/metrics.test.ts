import { afterAll, describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { version, versionDate } from '../../src/base/build/version.ts';
import { bearer, call, chatBody } from '../support/call.ts';
import { documentedFamilies, metricsTable } from '../support/metrics-table.ts';
import { namedMetrics } from '../support/named-metrics.ts';
import { isOnPostgres } from '../support/postgres/database-of.ts';
import { HIDDEN, startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';

const root = join(import.meta.dir, '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const upstream = startRecordingUpstream();
const config: Record<string, unknown> = {
  ...sampleConfig(upstream.url),
  server: { admin_listen: '127.0.0.1:0' },
};
const server = await startServer({ config });
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
/** The address of the first listener. The test server's own calls go to the second one. */
const publicUrl = /"base_url":"([^"]+)\/v1"/.exec(server.log())![1]!;
const { key } = await server.createKey('enterprise');
const PROVIDER = `${HIDDEN}-openai-chat`;
const CHAT = '/v1/chat/completions';
/** Metrics that only the other store has. */
const OTHER_STORE = isOnPostgres
  ? /^tollgate_store_(commit_|wal_bytes|size_bytes|waiting_writes|write_failures)/
  : /^tollgate_store_pool_/;
const OPENMETRICS = 'application/openmetrics-text; version=1.0.0';

const chat = (model: string, fields = {}) =>
  call(publicUrl + CHAT, { headers: bearer(key), body: chatBody(model, fields) });
const metrics = async (headers = {}) => (await server.call('/metrics', { headers })).text;
const sample = async (series: string): Promise<number> =>
  Number(
    (await metrics())
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.split(' ')[1] ?? 0,
  );

describe('requests', () => {
  test('are counted and timed by provider, model, route and status class', async () => {
    const labels = `provider="${PROVIDER}",model="test-plain",route="${CHAT}",status="2xx"`;
    const counted = () => sample(`tollgate_requests_total{${labels}}`);
    const before = await counted();
    expect((await chat('test-plain')).status).toBe(200);
    expect((await chat('test-plain', { stream: true })).status).toBe(200);
    await waitFor(async () => (await counted()) === before + 2);
    expect(await sample(`tollgate_request_duration_seconds_count{${labels}}`)).toBe(before + 2);
    expect(await sample(`tollgate_time_to_first_token_seconds_count{${labels}}`)).toBe(1);
    expect(
      await sample(`tollgate_spend_microcredits_total{provider="${PROVIDER}",model="test-plain"}`),
    ).toBeGreaterThan(0);
  });

  test('that name models outside the catalog share one label', async () => {
    const labels = `provider="",model="unknown",route="${CHAT}",status="4xx"`;
    for (const model of ['nothing-1', 'nothing-2']) expect((await chat(model)).status).toBe(404);
    expect(await sample(`tollgate_requests_total{${labels}}`)).toBe(2);
    expect(await sample(`tollgate_request_errors_total{${labels},code="unknown_model"}`)).toBe(2);
    expect(await metrics()).not.toContain('nothing-');
  });
});

test('slots, queues, breakers and keys are reported by provider, and the version with its commit in build_info [ADM-52]', async () => {
  await chat('test-plain');
  const text = await metrics();
  for (const series of [
    `tollgate_provider_slots_in_use{provider="${PROVIDER}"} 0`,
    `tollgate_provider_queue_length{provider="${PROVIDER}",class="paid"} 0`,
    `tollgate_provider_key_refused{provider="${PROVIDER}"} 0`,
    `tollgate_breaker_state{provider="${PROVIDER}",model="${HIDDEN}-test-plain",state="closed"} 1`,
    `tollgate_breaker_state{provider="${PROVIDER}",model="${HIDDEN}-test-plain",state="open"} 0`,
    `tollgate_build_info{version="${version}",commit_date="${versionDate}",bun_version="${Bun.version}"} 1`,
    'tollgate_spool_settlements 0',
  ])
    expect(text).toContain(`\n${series}\n`);
  expect((await server.admin('GET', '/nodes')).body.data).toMatchObject([{ version }]);
  const ofStore = isOnPostgres
    ? ['tollgate_store_pool_connections', 'tollgate_store_pool_statement_operations_count{statement="admit"}']
    : ['tollgate_store_commit_writes_count', 'tollgate_store_wal_bytes'];
  for (const name of ofStore) expect([name, (await sample(name)) > 0]).toEqual([name, true]);
});

test('without telemetry no trace is continued', async () => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  upstream.forget();
  const headers = { ...bearer(key), traceparent };
  const { status } = await call(publicUrl + CHAT, { headers, body: chatBody('test-plain') });
  expect({ status, traceparent: upstream.requests[0]!.headers.get('traceparent') }).toEqual({
    status: 200,
    traceparent: null,
  });
});

test('only a scraper that asks for OpenMetrics gets exemplars', async () => {
  const { headers } = await chat('test-plain');
  const id = headers.get('x-svc-request-id');
  const open = await server.call('/metrics', { headers: { accept: `${OPENMETRICS},text/plain;q=0.5` } });
  expect(open.headers.get('content-type')).toStartWith(OPENMETRICS);
  expect(open.text).toEndWith('\n# EOF\n');
  expect(open.text).toContain('# TYPE tollgate_requests counter\n');
  expect(open.text).toMatch(
    new RegExp(`_bucket\\{.*\\} \\d+ # \\{request_id="${id}"\\} [\\d.]+ \\d+\\.\\d{3}\n`),
  );
  for (const accept of ['text/plain', '*/*', `${OPENMETRICS};q=0.1,text/plain`]) {
    const plain = await server.call('/metrics', { headers: { accept } });
    expect(plain.headers.get('content-type')).toStartWith('text/plain; version=0.0.4');
    expect(plain.text).not.toMatch(/request_id|# EOF/);
  }
});

describe('with a listener for operators', () => {
  test('the public one has neither metrics nor the admin API', async () => {
    for (const path of ['/metrics', '/admin', '/admin/v1/accounts', '/admin/v1/reload', '/admin/v1/nothing'])
      for (const method of ['GET', 'POST']) {
        const { status, body } = await call(publicUrl + path, { method, headers: bearer(server.adminToken) });
        expect({ path, status, code: body.error.code }).toEqual({ path, status: 404, code: 'not_found' });
      }
    expect((await call(`${publicUrl}/openapi.json`)).text).not.toContain('/admin/v1');
  });

  test('the other one has everything, and both have the probes', async () => {
    for (const path of ['/healthz', '/readyz', '/v1/models', '/']) {
      expect({ path, status: (await call(publicUrl + path)).status }).toEqual({ path, status: 200 });
      expect({ path, status: (await server.call(path)).status }).toEqual({ path, status: 200 });
    }
    expect((await server.admin('GET', '/accounts')).status).toBe(200);
    expect((await server.call('/openapi.json')).text).toContain('/admin/v1');
  });

  test('its address changes at the next start, as the log says', async () => {
    server.configure({ ...config, server: { admin_listen: '127.0.0.1:1' } });
    expect((await server.reload()).status).toBe(200);
    await waitFor(() => /"restart-needed".*"server.admin_listen"/.test(server.log()));
    expect((await server.call('/healthz')).status).toBe(200);
    server.configure(config);
    expect((await server.reload()).status).toBe(200);
  });
});

test('metrics.token protects the metrics from the next reload on', async () => {
  const token = 'a-token-for-the-scraper';
  server.configure({ ...config, metrics: { token } });
  expect((await server.reload()).status).toBe(200);
  const scrape = async (headers = {}) => (await server.call('/metrics', { headers })).status;
  expect(await scrape()).toBe(401);
  expect(await scrape(bearer(`${token}x`))).toBe(401);
  expect(await scrape(bearer(server.adminToken))).toBe(401);
  expect(await scrape(bearer(token))).toBe(200);
  server.configure(config);
  expect((await server.reload()).status).toBe(200);
  expect(await scrape()).toBe(200);
});

describe('the documents', () => {
  const families = documentedFamilies();

  test('docs/operations/metrics.md has every metric (UPDATE=1 npm test rewrites it)', async () => {
    const place = join(root, 'docs/operations/metrics.md');
    const text = readFileSync(place, 'utf8');
    const expected = text.replace(
      /(?<=<!-- metrics: .* -->\n).*?(?=<!-- \/metrics -->)/s,
      () => `\n${metricsTable(families)}\n`,
    );
    expect(text).toContain('<!-- metrics: ');
    if (process.env.UPDATE) writeFileSync(place, expected);
    expect(readFileSync(place, 'utf8')).toBe(expected);
  });

  test('a started server has these metrics and no others, and only those of its store', async () => {
    const served = [...(await metrics()).matchAll(/^# HELP (\S+) (.*)\n# TYPE \S+ (\S+)$/gm)];
    expect(served.map(([, name, help, type]) => `${name} ${type} ${help}`).sort()).toEqual(
      families
        .filter(({ name }) => !OTHER_STORE.test(name))
        .map(({ name, type, help }) => `${name} ${type} ${help}`)
        .sort(),
    );
  });

  test('alert rules and the Grafana board use only metrics and labels of a started server', () => {
    const byName = new Map(
      families.flatMap((family) => namesOf(family).map((name) => [name, family] as const)),
    );
    const used = namedMetrics(root);
    expect(used.length).toBeGreaterThan(90);
    for (const { place, metric, labels } of used) {
      if (metric === 'up') continue;
      const family = byName.get(metric);
      expect([place, metric, family !== undefined]).toEqual([place, metric, true]);
      const known = [...family!.labels, 'job', 'instance', 'le', ''];
      expect({ place, metric, labels: labels.filter((label) => !known.includes(label)) }).toEqual({
        place,
        metric,
        labels: [],
      });
    }
  });

  test('each alert is documented, and has a test in which it fires and one in which it is silent', () => {
    const { groups } = parse(read('deploy/prometheus/alerts.yml'));
    const alerts: string[] = groups.flatMap(({ rules }: { rules: { alert: string }[] }) =>
      rules.map(({ alert }) => alert),
    );
    const { tests } = parse(read('deploy/prometheus/alerts.test.yml'));
    const names: string[] = tests.map(({ name }: { name: string }) => name);
    expect(names.sort()).toEqual(
      alerts.flatMap((alert) => [`${alert} fires`, `${alert} stays silent`]).sort(),
    );
    const incidents = read('docs/operations/incidents.md');
    expect(alerts.filter((alert) => !incidents.includes(`\`${alert}\``))).toEqual([]);
  });
});

/** The names of a metric's series. */
const namesOf = ({ name, type }: { name: string; type: string }): string[] =>
  type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
