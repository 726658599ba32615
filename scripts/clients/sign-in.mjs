#!/usr/bin/env node
// Signs Claude Code in to a gateway with the simulator, and drives it: `node scripts/clients/sign-in.mjs`.
// The client is installed from npm. The screens of `/login` need a terminal, so this script asks for the
// codes itself, and saves the credential as the client does. From then on the client acts alone: it reads its
// managed settings, calls a model, sends telemetry, renews its key and signs out.
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { credentialFile, signIn } from './claude-code-sign-in.mjs';
import { pathOf } from './client-environment.mjs';
import { endLeftovers } from './end-leftovers.mjs';
import { installNode } from './install-node.mjs';
import { installPackages } from './install-packages.mjs';
import { installedVersion } from './installed-version.mjs';
import { runScript } from './run-script.mjs';
import { startGateway } from './start-gateway.mjs';
import { startRecorder } from './start-recorder.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const cache = join(tmpdir(), 'tollgate-clients');
const folder = join(cache, 'claude-code-sign-in');
const home = join(folder, 'home');
const credential = credentialFile(home);
const PACKAGE = '@anthropic-ai/claude-code';
const MODEL = '@svc/gpt-oss-120b';
const RUN_TIMEOUT_MS = 120_000;

/**
 * Settings that the gateway serves. They switch the telemetry on, which shows that the client applies them.
 */
const managed = {
  env: {
    CLAUDE_CODE_ENABLE_TELEMETRY: '1',
    OTEL_METRICS_EXPORTER: 'otlp',
    OTEL_LOGS_EXPORTER: 'otlp',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    OTEL_METRIC_EXPORT_INTERVAL: '1000',
    OTEL_LOGS_EXPORT_INTERVAL: '1000',
  },
};

/** Reports whether a key is accepted. */
const keyWorks = async (url, key) =>
  (await fetch(`${url}/v1/usage`, { headers: { authorization: `Bearer ${key}` } })).status === 200;

/**
 * Returns the steps in their order. `calls` are the requests that the client must make. `check` tests the
 * state afterwards.
 */
const stepsAt = (url) => [
  {
    name: 'reads its managed settings, calls a model and sends telemetry',
    script: `claude -p 'say: signed in' --model ${MODEL}`,
    calls: [
      'GET /managed/settings 200',
      'POST /v1/messages 200',
      'POST /v1/metrics 200',
      'POST /v1/logs 200',
    ],
    says: '[simulated] signed in',
  },
  {
    name: 'renews an expired key',
    prepare: () => {
      const value = credential.read();
      credential.write({ ...value, enterpriseGateway: { ...value.enterpriseGateway, expiresAt: 1 } });
      return value.enterpriseGateway;
    },
    script: `claude -p 'say: renewed' --model ${MODEL}`,
    calls: ['POST /oauth/token 200', 'POST /v1/messages 200'],
    says: '[simulated] renewed',
    check: async (before) => {
      const { jwt } = credential.read().enterpriseGateway;
      return jwt !== before.jwt && keyWorks(url, jwt);
    },
  },
  {
    name: 'signs out, and its key ends',
    prepare: () => credential.read().enterpriseGateway,
    script: 'claude auth logout',
    calls: ['POST /oauth/revoke 200', 'POST /oauth/revoke 200'],
    says: 'logged out',
    check: async (before) => !credential.exists() && !(await keyWorks(url, before.jwt)),
  },
];

/** Returns the expected calls that the client has not made. An expected call can occur several times. */
function missingCalls(expected, calls) {
  const unmatched = [...calls];
  return expected.filter((call) => {
    const index = unmatched.indexOf(call);
    if (index >= 0) unmatched.splice(index, 1);
    return index < 0;
  });
}

async function runStep({ script, calls, says, prepare, check }, { recorder, environment }) {
  const before = prepare?.();
  recorder.take();
  const { code, output } = await runScript(script, { folder: home, environment, timeoutMs: RUN_TIMEOUT_MS });
  const actualCalls = recorder.take();
  if (code !== 0 || !output.includes(says)) return `ended with ${code}:\n${output}`;
  const missing = missingCalls(calls, actualCalls);
  if (missing.length > 0) return `did not call ${missing.join(', ')}, but ${actualCalls.join(', ')}`;
  return (await check?.(before)) === false ? 'left a key that it should not have' : undefined;
}

/** Installs the client, and returns the PATH with it. */
async function install() {
  const path = pathOf(folder, ...(await installNode(cache)));
  await installPackages('npm', `npm install --no-audit --no-fund ${PACKAGE}`, { folder, path });
  return path;
}

async function main() {
  const path = await install();
  rmSync(home, { recursive: true, force: true });
  const settings = join(folder, 'managed.json');
  writeFileSync(settings, JSON.stringify(managed));
  const gateway = await startGateway(root, { claude_code: { managed_settings: [{ file: settings }] } });
  let recorder;
  let failures = 0;
  try {
    recorder = await startRecorder(gateway.url);
    await signIn({ url: recorder.url, adminToken: gateway.adminToken }, credential);
    const environment = { HOME: home, PATH: path, TERM: 'dumb' };
    console.log(`Claude Code ${installedVersion('npm', { folder, name: PACKAGE })}`);
    for (const step of stepsAt(recorder.url)) {
      const problem = await runStep(step, { recorder, environment });
      if (problem) failures++;
      console.log(problem ? `failed  ${step.name}: ${problem}` : `passed  ${step.name}`);
    }
  } finally {
    recorder?.stop();
    await gateway.stop();
    endLeftovers(home);
    rmSync(home, { recursive: true, force: true });
  }
  process.exitCode = failures === 0 ? 0 : 1;
}

await main();
