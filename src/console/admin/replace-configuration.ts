import { Refusal } from '../../base/errors/refusal.ts';
import { counted } from '../../base/lib/counted.ts';
import { type ConfigProblem, formatProblem } from '../../settings/config/config-problem.ts';
import type { AdminParts } from './admin-parts.ts';
import { problemView } from './configuration-problem-view.ts';
import type { Reloaded, ReloadOutcome } from './reload-outcome.ts';

/** A new text of the configuration file. `hash` identifies the text that it replaces. */
type Replacement = { text: string; hash: string; actor: string };

/** Replaces the configuration file and reloads it. The audit log has the hashes of both files. */
export async function replaceConfiguration(
  replacement: Replacement,
  { configuration, accounts }: Pick<AdminParts, 'configuration' | 'accounts'>,
): Promise<Reloaded> {
  const outcome = await configuration.write(replacement);
  if (outcome.kind === 'changed') throw changedMeanwhile();
  if (outcome.kind === 'refused') throw new Refusal('conflict', { message: outcome.reason });
  if (outcome.kind === 'problems') throw invalid(outcome.problems);
  const { hash } = await configuration.show();
  await accounts.record('config-change', 'configuration', {
    before: { hash: replacement.hash },
    after: { hash },
    actor: replacement.actor,
  });
  return reloadedOrThrow(outcome.reloaded);
}

/** Returns the outcome of a reload. An invalid configuration is refused. */
export function reloadedOrThrow(outcome: ReloadOutcome): Reloaded {
  if (!('problems' in outcome)) return outcome;
  const { problems } = outcome;
  const count = counted(problems.length, 'problem');
  const message = `The configuration has ${count}. The running configuration stays in place: ${problems[0]}`;
  throw new Refusal('invalid_request', { message, fields: { details: problems } });
}

const changedMeanwhile = (): Refusal =>
  new Refusal('conflict', { message: 'The configuration file was changed meanwhile. Load it again.' });

const invalid = (problems: readonly ConfigProblem[]): Refusal =>
  new Refusal('invalid_request', {
    message: `The configuration is not valid: ${formatProblem({ ...problems[0]!, file: 'line' })}`,
    fields: { details: problems.map(problemView) },
  });
