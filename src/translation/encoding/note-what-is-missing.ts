import { Refusal } from '../../base/errors/refusal.ts';
import type { CanonicalRequest } from '../canonical/request.ts';
import { ORDINARY_TIERS } from '../canonical/service-tiers.ts';
import type { EncodeNotes } from './encode-notes.ts';

const ORDINARY_VERBOSITY = 'medium';

/**
 * Notes what the Google and Bedrock wires and the completions wire cannot carry.
 * Hard requirements are refused, hints are lost.
 */
export function noteWhatIsMissing(request: CanonicalRequest, notes: EncodeNotes): void {
  const { choices = 1, logprobs, parallelToolCalls, hints, tools } = request;
  noteOpenaiWishes(request, notes);
  if (choices > 1) refuse(notes, 'n', 'the chosen model gives one answer at a time');
  if (logprobs) refuse(notes, 'logprobs', 'the chosen model does not return log probabilities');
  if (parallelToolCalls === false && tools.length > 0) notes.lose('parallel-tool-calls');
  if (tools.some((tool) => tool.kind === 'function' && tool.strict === true)) notes.lose('strict-tool');
  if (hints.user !== undefined) notes.lose('user-hint');
  if (hints.serviceTier !== undefined && !ORDINARY_TIERS.has(hints.serviceTier)) notes.lose('service-tier');
}

/** Notes the fields that only OpenAI's models understand. */
export function noteOpenaiWishes({ verbosity, hints }: CanonicalRequest, notes: EncodeNotes): void {
  if (verbosity !== undefined && verbosity !== ORDINARY_VERBOSITY) notes.lose('verbosity');
  if (hints.cacheRetention !== undefined) notes.lose('cache-retention');
}

/** Notes that the chosen model cannot serve a field. */
export function refuse(notes: EncodeNotes, param: string, problem: string): void {
  notes.refuse(new Refusal('route_not_qualified', { param, message: `${param}: ${problem}` }));
}
