import type { CanonicalRequest } from '../canonical/request.ts';
import { ORDINARY_TIERS } from '../canonical/service-tiers.ts';
import type { EncodeNotes } from './encode-notes.ts';
import { refuseWhatEventsLack } from './refuse-what-events-lack.ts';

const ORDINARY_VERBOSITY = 'medium';

const NO_TIERS: ReadonlySet<unknown> = new Set();

/**
 * Notes what the Google and Bedrock wires and the completions wire cannot carry.
 * Hard requirements are refused, hints are lost. `tiers`: the service tiers that the wire has.
 */
export function noteUnsupported(request: CanonicalRequest, notes: EncodeNotes, tiers = NO_TIERS): void {
  const { parallelToolCalls, hints, tools } = request;
  refuseWhatEventsLack(request, notes);
  noteOpenaiOptions(request, notes);
  if (parallelToolCalls === false && tools.length > 0) notes.lose('parallel-tool-calls');
  if (tools.some((tool) => tool.kind === 'function' && tool.strict === true)) notes.lose('strict-tool');
  if (hints.user !== undefined) notes.lose('user-hint');
  const { serviceTier: tier } = hints;
  if (tier !== undefined && !tiers.has(tier) && !ORDINARY_TIERS.has(tier)) notes.lose('service-tier');
}

/** Notes the fields that only OpenAI's models understand. */
export function noteOpenaiOptions({ verbosity, hints }: CanonicalRequest, notes: EncodeNotes): void {
  if (verbosity !== undefined && verbosity !== ORDINARY_VERBOSITY) notes.lose('verbosity');
  if (hints.cacheRetention !== undefined) notes.lose('cache-retention');
}
