import { sliceJson } from '../../../base/json/slice-json.ts';
import { isoTime } from '../../../base/lib/iso-time.ts';
import type { CanonicalResponse } from '../../canonical/event.ts';
import type { OutputPart } from '../../canonical/part.ts';
import { stringifyWithRaw } from '../../canonical/raw-json.ts';
import type { Keeper, ResponseHead } from '../../contract/codec.ts';
import { withProofs } from '../../encoding/call-proofs.ts';
import { encodeStep, showsSummaries } from './encode-step.ts';
import { encodeStop } from './encode-stop.ts';
import { encodeUsage } from './encode-usage.ts';

/** The values of the request that an interaction's object has. */
export type InteractionHead = Pick<ResponseHead, 'responseId' | 'model' | 'createdAt'> & {
  body: { value: Readonly<Record<string, unknown>> };
};

/** Formats a time in seconds as Google does, without a fraction. */
const timeOfSeconds = (seconds: number): string => isoTime(seconds * 1_000).replace(/\.\d+Z$/, 'Z');

/** Encodes the members that an interaction has from its beginning. */
export function encodeHead({ responseId, model, createdAt, body }: InteractionHead, status: string) {
  const previous = body.value['previous_interaction_id'];
  const updated = Math.max(createdAt, Math.floor(Date.now() / 1_000));
  return {
    id: responseId,
    object: 'interaction',
    created: timeOfSeconds(createdAt),
    updated: timeOfSeconds(updated),
    model,
    status,
    ...(typeof previous === 'string' && { previous_interaction_id: previous }),
  };
}

/** Encodes a finished interaction as text. */
export function encodeInteraction({ parts, stop, usage }: CanonicalResponse, head: ResponseHead): string {
  const hasCalled = parts.some(({ kind }) => kind === 'tool-call');
  const { status, ...errors } = encodeStop(stop, hasCalled);
  return stringifyWithRaw({
    ...encodeHead(head, status),
    ...errors,
    steps: encodeOutput(parts, { isShown: showsSummaries(head.request) }),
    output_text: parts.map((part) => ('text' in part && part.kind !== 'thinking' ? part.text : '')).join(''),
    usage: encodeUsage(usage),
  });
}

const encodeOutput = (parts: readonly OutputPart[], { isShown }: { isShown: boolean }) =>
  withProofs(parts).flatMap((part) => encodeStep(part, isShown));

/** Reports whether the answer must be stored, which is the default. */
export const isKept = ({ store }: Readonly<Record<string, unknown>>): boolean => store !== false;

/**
 * Returns the keeper of a translated answer, if the answer is stored. Later turns get hidden thoughts too.
 */
export const keeper = (head: ResponseHead): Keeper | undefined =>
  isKept(head.body.value)
    ? ({ parts }, sent) => ({
        envelope: sliceJson(sent, ['interaction']) ?? sent,
        items: stringifyWithRaw(encodeOutput(parts, { isShown: true })),
      })
    : undefined;
