import type { CanonicalResponse } from '../../canonical/event.ts';
import type { OutputPart } from '../../canonical/part.ts';
import { stringifyWithRaw } from '../../canonical/raw-json.ts';
import type { ResponseHead } from '../../contract/response-head.ts';
import { withProofs } from '../../encoding/call-proofs.ts';
import { showsThoughts } from '../google/encode-answer-part.ts';
import { type AnswerStep, encodeStep, type StepView } from './encode-step.ts';
import { encodeStop } from './encode-stop.ts';
import { encodeUsage } from './encode-usage.ts';
import { encodeHead } from './interaction-head.ts';

/** Encodes a finished interaction as text. */
export function encodeInteraction({ parts, stop, usage }: CanonicalResponse, head: ResponseHead): string {
  const hasCalled = parts.some(({ kind }) => kind === 'tool-call');
  const { status, ...errors } = encodeStop(stop, hasCalled);
  return stringifyWithRaw({
    ...encodeHead(head, status),
    ...errors,
    steps: encodeOutput(parts, { showsSummaries: showsThoughts(head.request) }),
    output_text: parts.map(outputText).join(''),
    usage: encodeUsage(usage),
  });
}

const outputText = (part: OutputPart): string =>
  part.kind === 'text' || part.kind === 'refusal' ? part.text : '';

/** Encodes the steps of an answer. */
export const encodeOutput = (parts: readonly OutputPart[], view: StepView): AnswerStep[] =>
  withProofs(parts).flatMap((part) => encodeStep(part, view));
