import type { OutputPart, ReplayToken } from '../../canonical/part.ts';
import { RawJson } from '../../canonical/raw-json.ts';
import type { CanonicalRequest } from '../../canonical/request.ts';
import { flatToolName, objectInput } from '../../encoding/flat-tool.ts';
import { redactedSignature, signatureText } from './signature-text.ts';
import { signatureOf } from './thought-signature.ts';

/** A part of an answer in the vendor's form. */
export type AnswerPart = Record<string, unknown>;

/**
 * Reports whether the client asked to see thoughts.
 * Their signatures are sent in any case, since a later turn may need them.
 */
export const showsThoughts = ({ thinking }: CanonicalRequest): boolean => thinking?.visible === true;

/** Returns the parts that a part of an answer becomes. They equal the sum of the part's stream events. */
export function encodeAnswerPart(part: OutputPart, isShown: boolean): AnswerPart[] {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return part.text === '' ? [] : [{ text: part.text }];
    case 'thinking':
      return [
        ...(isShown && part.text !== '' ? [thoughtPart(part.text)] : []),
        ...signatureParts(part.replay),
      ];
    case 'redacted-thinking':
      return [{ ...thoughtPart(''), thoughtSignature: redactedSignature(part.replay) }];
    case 'tool-call':
      return [callPart(part, objectInput(part.input))];
    case 'opaque':
      return part.issuer === 'google' ? [part.block as AnswerPart] : [];
  }
}

/** Returns a part with a thought, which is empty if only its signature is sent. */
export const thoughtPart = (text: string): AnswerPart => ({ text, thought: true });

/** Returns the part that carries a signature. The signature of a text is on an empty text. */
export function signatureParts(replay: ReplayToken | undefined): AnswerPart[] {
  if (replay === undefined) return [];
  const isOfText = replay.issuer === 'google' && signatureOf(replay).kind === 'text';
  return [{ ...(isOfText ? { text: '' } : thoughtPart('')), thoughtSignature: signatureText(replay) }];
}

type Call = { callId: string; name: string; namespace?: string; replay?: ReplayToken | undefined };

/** Returns a call. `input` is the JSON of its arguments. */
export const callPart = (call: Call, input: string): AnswerPart => ({
  functionCall: { id: call.callId, name: flatToolName(call), args: new RawJson(input) },
  ...(call.replay && { thoughtSignature: signatureText(call.replay) }),
});
