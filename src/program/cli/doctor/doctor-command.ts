import { resolve } from 'node:path';
import { asSentence } from '../../../base/lib/as-sentence.ts';
import { applyOverrides, type CommandLineOverrides } from '../../../settings/config/apply-overrides.ts';
import type { Config } from '../../../settings/config/config-schema.ts';
import { configFileOf } from '../../../settings/config/environment-overrides.ts';
import { loadConfig, parseConfig } from '../../../settings/config/load-config.ts';
import { checkConfiguration } from '../check-configuration.ts';
import { type Colour, coloured } from '../colour.ts';
import type { Run } from '../command.ts';
import type { Invocation } from '../invocation.ts';
import { printJson } from '../print-answer.ts';
import { askServer } from './ask-server.ts';
import { attemptCheck } from './attempt-check.ts';
import type { Check } from './check.ts';
import { checkClock } from './check-clock.ts';
import { checkDataDirectory } from './check-data-directory.ts';
import { checkLimits } from './check-limits.ts';
import { checkLive } from './check-live.ts';
import { checkPort } from './check-port.ts';
import { checkProviders } from './check-providers.ts';
import { checkRuntime } from './check-runtime.ts';
import { checkStore } from './check-store.ts';
import { configurationFindings } from './configuration-findings.ts';
import type { CheckName, Finding } from './finding.ts';

/** The checks run one after another, since several use the same lock. A check calls its hosts in parallel. */
const checks: readonly Check[] = [
  checkRuntime,
  checkDataDirectory,
  checkStore,
  checkProviders,
  checkClock,
  checkLimits,
  checkPort,
];

const marks: Readonly<Record<Finding['status'], { text: string; colour: Colour }>> = {
  ok: { text: 'ok  ', colour: 'green' },
  warn: { text: 'warn', colour: 'yellow' },
  fail: { text: 'FAIL', colour: 'red' },
};

export const doctorCommand: Run = async (invocation) => {
  const { environment } = invocation.terminal;
  const file = configFileOf(invocation.text('config'), environment);
  const config = await usableConfig(file, invocation);
  const serverReport = await askServer(invocation, config);
  const findings: Finding[] = [];
  if (serverReport !== undefined && 'findings' in serverReport) {
    findings.push(...serverReport.findings);
    // A file that the server does not use can be its next one.
    if (isOtherFile(invocation.text('config'), serverReport.configFile))
      findings.push(...(await checkFile(file, invocation)));
  } else {
    if (serverReport !== undefined) findings.push(serverReport.unasked);
    findings.push(...(await checkFile(file, invocation)));
    for (const check of invocation.flag('live') ? [...checks, checkLive] : checks)
      findings.push(...(await attemptCheck(check, { config, environment })));
  }
  const isFine = findings.every(({ status }) => status !== 'fail');
  if (invocation.flag('json')) printJson(invocation, { ok: isFine, findings });
  else for (const finding of findings) invocation.terminal.print(formatFinding(invocation.terminal, finding));
  if (isFine) return 0;
  const failures = findings.filter(({ status }) => status === 'fail').length;
  invocation.terminal.remark(`tollgate: ${failures} of ${findings.length} checks failed.`);
  return 1;
};

const isOtherFile = (file: string | undefined, used: string | null): boolean =>
  file !== undefined && resolve(file) !== used;

const overridesOf = (invocation: Invocation): CommandLineOverrides => ({
  port: invocation.number('port'),
  host: invocation.text('host'),
  data: invocation.text('data'),
});

async function checkFile(file: string | null, invocation: Invocation): Promise<Finding[]> {
  const { environment } = invocation.terminal;
  const overrides = overridesOf(invocation);
  const { problems, warnings } = await checkConfiguration({ file, environment, overrides });
  return configurationFindings({
    problems,
    warnings,
    valid: file === null ? 'no file; the defaults are used' : `${file} is valid`,
    otherwise: 'the other checks use the defaults',
  });
}

/** Returns the configuration for the other checks. If the file is invalid, they use the defaults. */
async function usableConfig(file: string | null, invocation: Invocation): Promise<Config> {
  const loaded = await loadConfig({ file, environment: invocation.terminal.environment });
  const config = 'config' in loaded ? loaded.config : builtInConfig();
  return applyOverrides(config, overridesOf(invocation));
}

function builtInConfig(): Config {
  const loaded = parseConfig({ text: '', file: null, environment: {} });
  if ('problems' in loaded) throw new Error('the built-in configuration is wrong');
  return loaded.config;
}

const CHECK_WIDTH = ('data directory' satisfies CheckName).length;

function formatFinding(terminal: Invocation['terminal'], { check, status, message, mend }: Finding): string {
  const { text, colour } = marks[status];
  const remedy = mend === null ? '' : `: ${mend}`;
  const start = `${coloured(terminal, colour, text)}  ${check.padEnd(CHECK_WIDTH)}`;
  return asSentence(`${start}  ${message}${remedy}`);
}
