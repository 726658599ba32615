import type { Citation, OutputPart, ReplayToken } from '../../canonical/part.ts';
import { RawJson } from '../../canonical/raw-json.ts';
import { flatToolName, objectInput } from '../../encoding/flat-tool.ts';
import { redactedSignature, signatureText } from './signature-text.ts';

export type AnswerStep = Record<string, unknown>;

/** The part of an answer that its client gets to see. */
export type StepView = { showsSummaries: boolean };

/** Returns the step of a part of an answer. It equals the sum of the part's stream events. */
export function encodeStep(part: OutputPart, view: StepView): AnswerStep[] {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return outputSteps(part);
    case 'thinking':
      return [
        {
          type: 'thought',
          ...signatureMember(part.replay),
          ...(view.showsSummaries && part.text !== '' && { summary: [{ type: 'text', text: part.text }] }),
        },
      ];
    case 'redacted-thinking':
      return [{ type: 'thought', signature: redactedSignature(part.replay) }];
    case 'tool-call':
      return [{ ...callStep(part), arguments: new RawJson(objectInput(part.input)) }];
    case 'opaque':
      return part.issuer === 'interactions' ? [part.block as AnswerStep] : [];
  }
}

/** Returns no step for an empty text without sources. */
function outputSteps({ text, citations = [] }: { text: string; citations?: Citation[] }): AnswerStep[] {
  const annotations = citations.flatMap(encodeCitation);
  if (text === '' && annotations.length === 0) return [];
  const content = { type: 'text', text, ...(annotations.length > 0 && { annotations }) };
  return [{ type: 'model_output', content: [content] }];
}

/** Returns the annotation for a source. Sources of other vendors have only an address and a title here. */
export function encodeCitation({ issuer, url, title, raw }: Citation): object[] {
  if (issuer === 'interactions') return [raw as object];
  return url === undefined ? [] : [{ type: 'url_citation', url, ...(title !== undefined && { title }) }];
}

/** Returns the step of a call without its arguments. */
export const callStep = (call: { callId: string; name: string; namespace?: string }): AnswerStep => ({
  type: 'function_call',
  id: call.callId,
  name: flatToolName(call),
});

const signatureMember = (replay: ReplayToken | undefined) =>
  replay ? { signature: signatureText(replay) } : {};
