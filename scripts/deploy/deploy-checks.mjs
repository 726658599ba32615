import { join } from 'node:path';
import { ensureRuntime } from '../runtime.mjs';
import { ALERTS, CHART, KUBERNETES } from './deploy-files.mjs';
import { scrapeStartedServer } from './scrape-started-server.mjs';

/** The tools that the checks need, and where to get them. */
export const toolSources = {
  promtool: "Debian's package `prometheus`, or the Prometheus release archive",
  go: 'the Go release, version 1.26 or later',
  helm: 'it with `go install helm.sh/helm/v3/cmd/helm@v3.22.0`, or the Helm release',
  'systemd-analyze': "Debian's package `systemd`",
  nginx: "Debian's package `nginx-light`",
  caddy: "Debian's package `caddy`",
  haproxy: "Debian's package `haproxy`",
  openssl: "Debian's package `openssl`",
  git: 'git, and run the checks in a clone',
  shellcheck: "Debian's package `shellcheck`",
  actionlint: 'it with `go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.7`',
};

/** The values with which the chart is rendered besides its defaults. */
const renderings = [
  { name: 'defaults', values: [] },
  { name: 'everything', values: ['-f', `${CHART}/ci/everything-values.yaml`] },
  { name: 'database', values: ['-f', `${CHART}/ci/database-values.yaml`] },
];

/** Runs the Go program that reads deployment files as BuildKit, Docker Compose and Kubernetes do. */
const goCheck = (kind, file) => ['go', '-C', 'deploy/check', 'run', '.', kind, file];

/**
 * Returns the checks. `command` is run in the repository after `prepare`; `input` returns its standard input.
 * A tool in `needs` must be on the PATH. With `refusal`, the command must fail with such an output.
 * To add a check, add a row, and a line in `toolSources` for a new tool.
 */
export const deployChecks = (files) => [
  { name: 'alert rules are valid', needs: ['promtool'], command: ['promtool', 'check', 'rules', ALERTS] },
  {
    name: 'alert rules fire and stay silent as their tests say',
    needs: ['promtool'],
    command: ['promtool', 'test', 'rules', 'deploy/prometheus/alerts.test.yml'],
  },
  {
    name: 'expressions of the Grafana board are valid',
    needs: ['promtool'],
    prepare: () => files.writeBoardRules(),
    command: ['promtool', 'check', 'rules', files.path('board.yml')],
  },
  {
    name: 'metrics of a started server are conventional',
    needs: ['promtool'],
    input: () => scrapeStartedServer(files.root),
    command: ['promtool', 'check', 'metrics'],
  },
  {
    name: 'metrics in the rules and on the board exist in a started server',
    needs: [],
    command: [
      ensureRuntime({ withDevelopment: true }),
      'test',
      '--timeout',
      '60000',
      'test/api/metrics.test.ts',
    ],
  },
  {
    name: 'the configuration of Prometheus in the compose file is valid',
    needs: ['promtool'],
    prepare: () => files.gatherPrometheusFiles(),
    command: ['promtool', 'check', 'config', files.path('prometheus', 'prometheus.yml')],
  },
  {
    name: 'the scrape configuration of the documentation is valid',
    needs: ['promtool'],
    prepare: () => files.writeDocumentedScrape(),
    command: ['promtool', 'check', 'config', files.path('documented', 'prometheus.yml')],
  },
  {
    name: 'the Dockerfile is valid',
    needs: ['go'],
    command: goCheck('dockerfile', join(files.root, 'Dockerfile')),
  },
  {
    name: 'the steps of the Dockerfile make a program that starts and is healthy',
    needs: [],
    command: ['node', 'scripts/deploy/run-image-steps.mjs'],
  },
  {
    name: 'the compose file is valid',
    needs: ['go'],
    command: goCheck('compose', join(files.root, 'deploy/compose/compose.yaml')),
  },
  {
    name: 'the compose file with Postgres is valid',
    needs: ['go'],
    command: goCheck('compose', join(files.root, 'deploy/compose/postgres.yaml')),
  },
  {
    name: "the compose file's configuration is valid",
    needs: [],
    command: ['bin/tollgate', 'config', 'check', 'deploy/compose/config/tollgate.yaml'],
  },
  {
    name: 'the Dockerfile of a release is valid',
    needs: ['go'],
    command: goCheck('dockerfile', join(files.root, 'deploy/image/Dockerfile')),
  },
  ...['compose', 'postgres'].map((file) => ({
    name: `the file ${file}.yaml of a release is valid`,
    needs: ['go', 'git'],
    prepare: () => files.renderRelease(),
    command: goCheck('compose', files.path('deploy', 'compose', `${file}.yaml`)),
  })),
  {
    name: 'the packed chart of a release has no faults',
    needs: ['helm', 'git'],
    prepare: () => files.renderRelease(),
    command: ['helm', 'lint', '--strict', files.path('chart.tgz'), ...KUBERNETES],
  },
  {
    name: 'the installer of a release is valid shell without mistakes',
    needs: ['shellcheck', 'git'],
    prepare: () => files.renderRelease(),
    command: ['shellcheck', '--shell=sh', files.path('install.sh')],
  },
  {
    name: 'the workflows are valid',
    needs: ['actionlint'],
    command: ['actionlint'],
  },
  ...renderings.flatMap((rendering) => chartChecks(files, rendering)),
  {
    name: 'the chart refuses two replicas without a database',
    needs: ['helm'],
    command: ['helm', 'template', 'test', CHART, ...KUBERNETES, '--set', 'replicas=2'],
    refusal: /needs config\.store\.database_url/,
  },
  {
    name: 'the chart refuses a spool that would be lost with its pod',
    needs: ['helm'],
    command: [
      'helm',
      'template',
      'test',
      CHART,
      ...KUBERNETES,
      '--set',
      'config.store.database_url=postgres://h/d',
      '--set',
      'config.store.spool=file',
    ],
    refusal: /config\.store\.spool/,
  },
  {
    name: 'the chart refuses a value that it does not know',
    needs: ['helm'],
    command: ['helm', 'template', 'test', CHART, ...KUBERNETES, '--set', 'replica=1'],
    refusal: /'replica' not allowed/,
  },
  {
    name: 'the chart refuses a listener for operators that no other pod can reach',
    needs: ['helm'],
    command: [
      'helm',
      'template',
      'test',
      CHART,
      ...KUBERNETES,
      '--set',
      'config.server.admin_listen=127.0.0.1:9090',
    ],
    refusal: /config\/server\/admin_listen/,
  },
  {
    name: 'the systemd unit is valid',
    needs: ['systemd-analyze'],
    prepare: () => files.writeUnit(),
    command: ['systemd-analyze', 'verify', files.path('tollgate.service')],
  },
  ...['nginx', 'nginx-two-nodes', 'caddy', 'haproxy'].map((example) => ({
    name: `the example ${example} is valid, streams, keeps addresses, and closes what is for operators`,
    needs: [example.split('-')[0], 'openssl'],
    command: ['node', 'scripts/deploy/check-proxy.mjs', example],
  })),
  ...['nginx-two-nodes', 'haproxy'].map((example) => ({
    name: `a rolling restart of two nodes behind the example ${example} loses no request`,
    needs: [example.split('-')[0], 'openssl'],
    command: ['node', 'scripts/deploy/check-rolling-restart.mjs', example],
  })),
  {
    name: 'the packed program installs elsewhere and starts',
    needs: [],
    command: ['node', 'scripts/deploy/install-package.mjs'],
  },
];

/**
 * The checks of the chart with one set of values: its style, its strict decoding, and the gateway's
 * configuration in it.
 */
function chartChecks(files, { name, values }) {
  const render = () => files.renderChart(name, values);
  const configuration = files.path(`${name}-tollgate.yaml`);
  return [
    {
      name: `the chart has no faults (${name})`,
      needs: ['helm'],
      command: ['helm', 'lint', '--strict', CHART, ...KUBERNETES, ...values],
    },
    {
      name: `Kubernetes knows every field of the chart (${name})`,
      needs: ['helm', 'go'],
      prepare: render,
      command: goCheck('kubernetes', files.path(`${name}.yaml`)),
    },
    {
      name: `the gateway's configuration in the chart is valid (${name})`,
      needs: ['helm'],
      prepare() {
        render();
        files.writeConfiguration(files.path(`${name}.yaml`), configuration);
      },
      command: ['bin/tollgate', 'config', 'check', configuration],
    },
  ];
}
