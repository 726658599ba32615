import type { StreamEvent } from '../canonical/event.ts';
import type { OutputPart, Part, RedactedThinkingPart, ReplayToken, ToolCallPart } from '../canonical/part.ts';
import type { ProtocolId } from '../canonical/protocol-id.ts';

/** Returns the part that holds the replay token of a call. */
const proofOf = (callId: string, replay: ReplayToken): RedactedThinkingPart => ({
  kind: 'redacted-thinking',
  replay: { ...replay, itemId: callId },
});

/**
 * Moves the replay token of each call into a part of its own after the call. Dialects whose calls have no
 * field for a token need this.
 */
export const withProofs = (parts: readonly OutputPart[]): OutputPart[] =>
  parts.flatMap((part) => {
    if (part.kind !== 'tool-call' || part.replay === undefined) return [part];
    const { replay, ...call } = part;
    return [call, proofOf(part.callId, replay)];
  });

/** Moves the tokens of the calls of a stream into parts of their own. These parts have negative indexes. */
export function streamProofs(): (event: StreamEvent) => StreamEvent[] {
  const callIds = new Map<number, string>();
  const proofs = new Map<number, RedactedThinkingPart>();
  return (event) => {
    if (event.type === 'part-start' && event.part.kind === 'tool-call')
      callIds.set(event.index, event.part.callId);
    if (event.type === 'part-delta' && event.delta.kind === 'replay-token') {
      const callId = callIds.get(event.index);
      if (callId === undefined) return [event];
      proofs.set(event.index, proofOf(callId, event.delta.replay));
      return [];
    }
    const part = event.type === 'part-end' ? proofs.get(event.index) : undefined;
    if (event.type !== 'part-end' || part === undefined) return [event];
    const index = -1 - event.index;
    return [event, { type: 'part-start', index, part }, { type: 'part-end', index }];
  };
}

/** Gives each call of a turn the token that arrived in a separate part. */
export function attachProofs(dialect: ProtocolId, parts: readonly Part[]): Part[] {
  const calls = new Map(
    parts.flatMap((part): [string, ToolCallPart][] =>
      part.kind === 'tool-call' ? [[part.callId, part]] : [],
    ),
  );
  return parts.filter((part) => {
    if (part.kind !== 'redacted-thinking' || part.replay.issuer === dialect) return true;
    const { itemId, ...replay } = part.replay;
    const call = itemId === undefined ? undefined : calls.get(itemId);
    if (call) call.replay = replay;
    return call === undefined;
  });
}
