import type { CanonicalRequest } from '../../canonical/request.ts';
import { ORDINARY_TIERS } from '../../canonical/service-tiers.ts';
import type { EncodeTarget } from '../../contract/encode-target.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import { fitHint, MAX_OPENAI_HINT_LENGTH } from '../../encoding/fit-hint.ts';
import { noteOpenaiOptions } from '../../encoding/note-unsupported.ts';
import { isOpenaiModel } from './is-openai-model.ts';

/** The tiers of OpenAI's models. */
const TIERS: ReadonlySet<string | undefined> = new Set([
  'auto',
  'default',
  'flex',
  'scale',
  'priority',
  'fast',
]);

/**
 * Encodes hints for models whose host knows the fields. Other hosts may refuse the request for these fields.
 */
export function encodeHints(request: CanonicalRequest, target: EncodeTarget, notes: EncodeNotes): object {
  const { user, cacheKey, serviceTier, cacheRetention } = request.hints;
  const knowsTier = isOpenaiModel(target.upstreamModel) && TIERS.has(serviceTier);
  if (serviceTier !== undefined && !knowsTier && !ORDINARY_TIERS.has(serviceTier)) notes.lose('service-tier');
  if (isOpenaiModel(target.upstreamModel)) {
    return {
      safety_identifier: fitHint(user, MAX_OPENAI_HINT_LENGTH),
      prompt_cache_key: fitHint(cacheKey, MAX_OPENAI_HINT_LENGTH),
      prompt_cache_retention: cacheRetention,
      service_tier: knowsTier ? serviceTier : undefined,
      verbosity: request.verbosity,
    };
  }
  if (user !== undefined) notes.lose('user-hint');
  noteOpenaiOptions(request, notes);
  return {};
}
