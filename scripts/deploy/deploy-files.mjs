import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { ensureRuntime } from '../runtime.mjs';
import { boardExpressions } from './board-expressions.mjs';

export const ALERTS = 'deploy/prometheus/alerts.yml';
export const CHART = 'deploy/helm/tollgate';
/** Helm assumes an old version of Kubernetes if its build does not say otherwise. */
export const KUBERNETES = ['--kube-version', '1.33.0'];
const METRICS = 'docs/operations/metrics.md';
const DOCUMENTED_TOKEN = '/etc/prometheus/tollgate-token';
const BOARD = 'deploy/grafana/tollgate.json';
const UNIT = 'deploy/systemd/tollgate.service';

/** The files that the checks write before the tools read them, in a folder of their own. */
export class DeployFiles {
  #folder = mkdtempSync(join(tmpdir(), 'tollgate-deploy-'));

  constructor(root) {
    this.root = root;
  }

  /** Returns the path of a file in the folder, or of the folder. */
  path(...names) {
    return join(this.#folder, ...names);
  }

  remove() {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Writes the objects that the chart makes of values. */
  renderChart(name, values) {
    const { status, stdout, stderr } = spawnSync(
      'helm',
      ['template', 'test', CHART, ...KUBERNETES, ...values],
      { cwd: this.root, encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(stderr.trim());
    writeFileSync(this.path(`${name}.yaml`), stdout);
  }

  /** Writes the gateway's configuration that a rendered chart contains. */
  writeConfiguration(from, to) {
    const objects = parseAllDocuments(readFileSync(from, 'utf8')).map((document) => document.toJS());
    const map = objects.find((object) => object?.kind === 'ConfigMap');
    writeFileSync(to, map.data['tollgate.yaml']);
  }

  /** Makes a release without archives. Its deployment files are the same as with archives. */
  renderRelease() {
    if (existsSync(this.path('chart.tgz'))) return;
    const { status, stderr } = spawnSync(
      ensureRuntime({ withDevelopment: true }),
      ['scripts/deploy/render-release.ts', this.path()],
      { cwd: this.root, encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(stderr.trim());
  }

  /** The compose file puts both files into one directory of the container. */
  gatherPrometheusFiles() {
    const directory = this.path('prometheus');
    cpSync(join(this.root, 'deploy/compose/prometheus'), directory, { recursive: true });
    cpSync(join(this.root, ALERTS), join(directory, 'alerts.yml'));
  }

  /** Writes the sample of the documentation beside the files that it names. */
  writeDocumentedScrape() {
    const directory = this.path('documented');
    const [, sample] =
      /^```yaml prometheus\n(.*?)^```/ms.exec(readFileSync(join(this.root, METRICS), 'utf8')) ?? [];
    if (!sample?.includes(DOCUMENTED_TOKEN))
      throw new Error(`${METRICS} has no sample with ${DOCUMENTED_TOKEN}`);
    mkdirSync(directory);
    writeFileSync(join(directory, 'token'), 'secret');
    writeFileSync(
      join(directory, 'prometheus.yml'),
      sample.replace(DOCUMENTED_TOKEN, join(directory, 'token')),
    );
    cpSync(join(this.root, ALERTS), join(directory, 'alerts.yml'));
  }

  /**
   * The verification requires that the program exists, so the unit's copy starts the one in the repository.
   */
  writeUnit() {
    const unit = readFileSync(join(this.root, UNIT), 'utf8');
    const installed = '/usr/local/bin/tollgate';
    if (!unit.includes(installed)) throw new Error(`${UNIT} does not start ${installed}`);
    writeFileSync(this.path('tollgate.service'), unit.replaceAll(installed, join(this.root, 'bin/tollgate')));
  }

  /**
   * Writes the board's expressions as recording rules, since promtool checks expressions only within rules.
   */
  writeBoardRules() {
    const board = JSON.parse(readFileSync(join(this.root, BOARD), 'utf8'));
    const rules = boardExpressions(board).map((expr, index) => ({ record: `board:${index}`, expr }));
    writeFileSync(this.path('board.yml'), stringify({ groups: [{ name: 'board', rules }] }));
  }
}
