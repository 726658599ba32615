import type { Refusal } from '../../../base/errors/refusal.ts';
import type { CanonicalResponse } from '../../canonical/event.ts';
import type { OutputPart } from '../../canonical/part.ts';
import type { ResponseHead } from '../../contract/response-head.ts';
import { withProofs } from '../../encoding/call-proofs.ts';
import { restoreCall } from '../../encoding/restore-tools.ts';
import { encodeItem, type ItemStatus, isMessagePart } from './encode-item.ts';
import { encodeEnvelope } from './envelope.ts';
import { failedError } from './failed-error.ts';
import { itemId } from './item-id.ts';
import { incompleteReason } from './stop.ts';
import { isShown, type View, viewOf } from './view.ts';

/** Encodes the envelope of a finished answer. */
export function encodeResponse({ parts, usage, stop }: CanonicalResponse, head: ResponseHead) {
  const reason = incompleteReason(stop, parts);
  const status = reason === undefined ? 'completed' : 'incomplete';
  return encodeEnvelope(head, {
    status,
    incompleteReason: reason,
    ...encodeOutput(parts, head, { lastStatus: status }),
    usage,
  });
}

/** Encodes the envelope of a failed answer: its output so far, and the error. */
export const encodeFailure = (parts: readonly OutputPart[], head: ResponseHead, refusal: Refusal) =>
  encodeEnvelope(head, {
    status: 'failed',
    error: failedError(refusal),
    ...encodeOutput(parts, head, { lastStatus: 'incomplete' }),
  });

/**
 * Encodes all items as a later turn passes them to a model, hidden reasoning included. If some reasoning is
 * hidden, indexes and ids differ from the client's, so the ids get a suffix.
 */
export function encodeReplay(parts: readonly OutputPart[], head: ResponseHead): unknown[] {
  const view = viewOf(head);
  const hidesSome = parts.some((part) => !isShown(part, view));
  const responseId = hidesSome ? `${head.responseId}_all` : head.responseId;
  const whole = { ...view, showsThinking: true, showsEncrypted: true };
  return encodeOutput(parts, { ...head, responseId }, { lastStatus: 'completed', view: whole }).output;
}

/** Encodes the items. `lastStatus`: the status of a message at the end. Other items are complete. */
function encodeOutput(
  parts: readonly OutputPart[],
  head: ResponseHead,
  { lastStatus, view = viewOf(head) }: { lastStatus: ItemStatus; view?: View },
) {
  const restore = restoreCall(head.request.tools);
  const shown = withProofs(parts)
    .filter((part) => isShown(part, view))
    .map((part) => (part.kind === 'tool-call' ? restore(part) : part));
  const groups = groupItems(shown);
  const output = groups.map((group, index) => {
    const isLastMessage = index === groups.length - 1 && isMessagePart(group[0]);
    const status = isLastMessage ? lastStatus : 'completed';
    return encodeItem(group, { id: itemId(group[0], head.responseId, index), status, view });
  });
  return { output, outputText: shown.map((part) => (part.kind === 'text' ? part.text : '')).join('') };
}

/**
 * Groups parts into items. Consecutive texts and refusals form one message.
 * Every other part is an item of its own.
 */
function groupItems(parts: readonly OutputPart[]): [OutputPart, ...OutputPart[]][] {
  const groups: [OutputPart, ...OutputPart[]][] = [];
  for (const part of parts) {
    const last = groups.at(-1);
    if (last && isMessagePart(part) && isMessagePart(last[0])) last.push(part);
    else groups.push([part]);
  }
  return groups;
}
