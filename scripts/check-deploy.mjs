#!/usr/bin/env node
// Checks the files in deploy/ with the tools that read them: `npm run check:deploy`.
// A missing tool is a failure, and it is named.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments, stringify } from 'yaml';
import { boardExpressions } from './deploy/board-expressions.mjs';
import { scrapeStartedServer } from './deploy/scrape-started-server.mjs';
import { ensureRuntime } from './runtime.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const scratch = mkdtempSync(join(tmpdir(), 'tollgate-deploy-'));
const ALERTS = 'deploy/prometheus/alerts.yml';
const METRICS = 'docs/operations/metrics.md';
const DOCUMENTED_TOKEN = '/etc/prometheus/tollgate-token';
const BOARD = 'deploy/grafana/tollgate.json';
const CHART = 'deploy/helm/tollgate';
const UNIT = 'deploy/systemd/tollgate.service';
/** The values with which the chart is rendered besides its defaults. */
const renderings = [
  { name: 'defaults', values: [] },
  { name: 'everything', values: ['-f', `${CHART}/ci/everything-values.yaml`] },
  { name: 'database', values: ['-f', `${CHART}/ci/database-values.yaml`] },
];
/** Helm assumes an old version of Kubernetes if its build does not say otherwise. */
const KUBERNETES = ['--kube-version', '1.33.0'];

// `go install` puts programs into the first of these, and Debian puts servers into the second,
// which only root has on the PATH.
process.env.PATH = [
  process.env.PATH,
  join(process.env.GOPATH ?? join(homedir(), 'go'), 'bin'),
  '/usr/sbin',
].join(delimiter);

/** The tools that the checks need, and where to get them. */
const sources = {
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

/** Runs the Go program that reads deployment files as BuildKit, Docker Compose and Kubernetes do. */
const goCheck = (kind, file) => ['go', '-C', 'deploy/check', 'run', '.', kind, file];
const rendered = (name) => join(scratch, `${name}.yaml`);

/**
 * The checks. `command` is run in the repository; `input` returns its standard input. A tool in `needs` must
 * be on the PATH. With `refusal`, the command must fail with such an output. To add a check, add a row, and a
 * line in `sources` for a new tool.
 */
const checks = [
  { name: 'alert rules are valid', needs: ['promtool'], command: ['promtool', 'check', 'rules', ALERTS] },
  {
    name: 'alert rules fire and stay silent as their tests say',
    needs: ['promtool'],
    command: ['promtool', 'test', 'rules', 'deploy/prometheus/alerts.test.yml'],
  },
  {
    name: 'expressions of the Grafana board are valid',
    needs: ['promtool'],
    prepare: writeBoardRules,
    command: ['promtool', 'check', 'rules', join(scratch, 'board.yml')],
  },
  {
    name: 'metrics of a started server are conventional',
    needs: ['promtool'],
    input: () => scrapeStartedServer(root),
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
    prepare: gatherPrometheusFiles,
    command: ['promtool', 'check', 'config', join(scratch, 'prometheus', 'prometheus.yml')],
  },
  {
    name: 'the scrape configuration of the documentation is valid',
    needs: ['promtool'],
    prepare: writeDocumentedScrape,
    command: ['promtool', 'check', 'config', join(scratch, 'documented', 'prometheus.yml')],
  },
  {
    name: 'the Dockerfile is valid',
    needs: ['go'],
    command: goCheck('dockerfile', join(root, 'Dockerfile')),
  },
  {
    name: 'the steps of the Dockerfile make a program that starts and is healthy',
    needs: [],
    command: ['node', 'scripts/deploy/run-image-steps.mjs'],
  },
  {
    name: 'the compose file is valid',
    needs: ['go'],
    command: goCheck('compose', join(root, 'deploy/compose/compose.yaml')),
  },
  {
    name: 'the compose file with Postgres is valid',
    needs: ['go'],
    command: goCheck('compose', join(root, 'deploy/compose/postgres.yaml')),
  },
  {
    name: "the compose file's configuration is valid",
    needs: [],
    command: ['bin/tollgate', 'config', 'check', 'deploy/compose/config/tollgate.yaml'],
  },
  {
    name: 'the Dockerfile of a release is valid',
    needs: ['go'],
    command: goCheck('dockerfile', join(root, 'deploy/image/Dockerfile')),
  },
  ...['compose', 'postgres'].map((file) => ({
    name: `the file ${file}.yaml of a release is valid`,
    needs: ['go', 'git'],
    prepare: renderRelease,
    command: goCheck('compose', join(scratch, 'deploy', 'compose', `${file}.yaml`)),
  })),
  {
    name: 'the packed chart of a release has no faults',
    needs: ['helm', 'git'],
    prepare: renderRelease,
    command: ['helm', 'lint', '--strict', join(scratch, 'chart.tgz'), ...KUBERNETES],
  },
  {
    name: 'the installer of a release is valid shell without mistakes',
    needs: ['shellcheck', 'git'],
    prepare: renderRelease,
    command: ['shellcheck', '--shell=sh', join(scratch, 'install.sh')],
  },
  {
    name: 'the workflows are valid',
    needs: ['actionlint'],
    command: ['actionlint'],
  },
  ...renderings.flatMap(chartChecks),
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
      ...['helm', 'template', 'test', CHART, ...KUBERNETES],
      ...['--set', 'config.store.database_url=postgres://h/d', '--set', 'config.store.spool=file'],
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
      ...['helm', 'template', 'test', CHART, ...KUBERNETES],
      ...['--set', 'config.server.admin_listen=127.0.0.1:9090'],
    ],
    refusal: /config\/server\/admin_listen/,
  },
  {
    name: 'the systemd unit is valid',
    needs: ['systemd-analyze'],
    prepare: writeUnit,
    command: ['systemd-analyze', 'verify', join(scratch, 'tollgate.service')],
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
 * The checks of the chart with one set of values: its style, its strict decoding, and the
 * gateway's configuration in it.
 */
function chartChecks({ name, values }) {
  const render = () => renderChart(name, values);
  const configuration = join(scratch, `${name}-tollgate.yaml`);
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
      command: goCheck('kubernetes', rendered(name)),
    },
    {
      name: `the gateway's configuration in the chart is valid (${name})`,
      needs: ['helm'],
      prepare() {
        render();
        writeConfiguration(rendered(name), configuration);
      },
      command: ['bin/tollgate', 'config', 'check', configuration],
    },
  ];
}

function renderChart(name, values) {
  const { status, stdout, stderr } = spawnSync(
    'helm',
    ['template', 'test', CHART, ...KUBERNETES, ...values],
    { cwd: root, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr.trim());
  writeFileSync(rendered(name), stdout);
}

/** Writes the gateway's configuration that a rendered chart contains. */
function writeConfiguration(from, to) {
  const objects = parseAllDocuments(readFileSync(from, 'utf8')).map((document) => document.toJS());
  const map = objects.find((object) => object?.kind === 'ConfigMap');
  writeFileSync(to, map.data['tollgate.yaml']);
}

/** Makes a release without archives, whose deployment files are those of every release. */
function renderRelease() {
  if (existsSync(join(scratch, 'chart.tgz'))) return;
  const { status, stderr } = spawnSync(
    ensureRuntime({ withDevelopment: true }),
    ['scripts/deploy/render-release.ts', scratch],
    { cwd: root, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr.trim());
}

/** The compose file puts both files into one directory of the container. */
function gatherPrometheusFiles() {
  const directory = join(scratch, 'prometheus');
  cpSync(join(root, 'deploy/compose/prometheus'), directory, { recursive: true });
  cpSync(join(root, ALERTS), join(directory, 'alerts.yml'));
}

/** Writes the sample of the documentation beside the files that it names. */
function writeDocumentedScrape() {
  const directory = join(scratch, 'documented');
  const [, sample] = /^```yaml prometheus\n(.*?)^```/ms.exec(readFileSync(join(root, METRICS), 'utf8')) ?? [];
  if (!sample?.includes(DOCUMENTED_TOKEN))
    throw new Error(`${METRICS} has no sample with ${DOCUMENTED_TOKEN}`);
  mkdirSync(directory);
  writeFileSync(join(directory, 'token'), 'secret');
  writeFileSync(
    join(directory, 'prometheus.yml'),
    sample.replace(DOCUMENTED_TOKEN, join(directory, 'token')),
  );
  cpSync(join(root, ALERTS), join(directory, 'alerts.yml'));
}

/** The verification requires that the program exists, so the unit's copy starts the one in the repository. */
function writeUnit() {
  const unit = readFileSync(join(root, UNIT), 'utf8');
  const installed = '/usr/local/bin/tollgate';
  if (!unit.includes(installed)) throw new Error(`${UNIT} does not start ${installed}`);
  writeFileSync(join(scratch, 'tollgate.service'), unit.replaceAll(installed, join(root, 'bin/tollgate')));
}

/** Writes the board's expressions as recording rules, since promtool checks expressions only within rules. */
function writeBoardRules() {
  const board = JSON.parse(readFileSync(join(root, BOARD), 'utf8'));
  const rules = boardExpressions(board).map((expr, index) => ({ record: `board:${index}`, expr }));
  writeFileSync(join(scratch, 'board.yml'), stringify({ groups: [{ name: 'board', rules }] }));
}

const SPEAKS_OF_PROBLEMS = new Set(['promtool', 'systemd-analyze']);

const isInstalled = (tool) => spawnSync(tool, ['--version'], { stdio: 'ignore' }).error === undefined;

/** Returns the reason why the check failed, or undefined if it passed. */
async function problemOf({ needs, prepare, input, refusal, command: [program, ...args] }) {
  const missing = needs.filter((tool) => !isInstalled(tool));
  if (missing.length > 0)
    return missing.map((tool) => `${tool} is missing: install ${sources[tool]}.`).join('\n');
  await prepare?.();
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    input: (await input?.()) ?? '',
  });
  if (error) return `${program} could not be run: ${error.message}`;
  if (refusal)
    return status !== 0 && refusal.test(stderr) ? undefined : `was not refused: ${stdout}${stderr}`.trim();
  // These tools report problems on their error output and may still exit with 0.
  const isClean = status === 0 && !(SPEAKS_OF_PROBLEMS.has(program) && stderr.trim() !== '');
  return isClean ? undefined : `${stdout}${stderr}`.trim() || `${program} exited with ${status}`;
}

let failed = 0;
try {
  for (const check of checks) {
    const problem = await problemOf(check).catch((error) => String(error));
    console.log(`${problem === undefined ? 'ok' : 'FAILED'}: ${check.name}`);
    if (problem === undefined) continue;
    failed++;
    console.log(problem.replace(/^/gm, '  '));
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
console.log(`\n${checks.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
