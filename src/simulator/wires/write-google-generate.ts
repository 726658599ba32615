import {
  type ReplyPart,
  type SimulatorChoice,
  type SimulatorReply,
  type SimulatorStop,
  type SimulatorUsage,
  textOf,
} from '../model/reply.ts';
import { type SimulatorEvent, streamEvent } from '../model/stream-event.ts';
import type { SimulatorExchange } from '../model/wire.ts';

export type GenerateAnswer = { exchange: SimulatorExchange; reply: SimulatorReply; showsThoughts: boolean };

const FINISH_REASONS: Record<SimulatorStop, string> = {
  end: 'STOP',
  length: 'MAX_TOKENS',
  'stop-sequence': 'STOP',
  'tool-calls': 'STOP',
  refusal: 'SAFETY',
};

/**
 * Converts usage. On this wire, candidate tokens exclude thoughts, and prompt tokens include cached tokens.
 */
function usageMetadata({ input, cacheRead, output, thinking }: SimulatorUsage) {
  return {
    promptTokenCount: input,
    candidatesTokenCount: output - thinking,
    totalTokenCount: input + output,
    ...(cacheRead > 0 && { cachedContentTokenCount: cacheRead }),
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: input }],
    ...(thinking > 0 && { thoughtsTokenCount: thinking }),
  };
}

const tail = ({ exchange }: GenerateAnswer, usage: SimulatorUsage) => ({
  ...(exchange.reportsUsage && { usageMetadata: usageMetadata(usage) }),
  modelVersion: exchange.model,
  responseId: exchange.id(''),
});

const signatureOf = (choice: SimulatorChoice): string | undefined =>
  choice.parts.find((part) => part.kind === 'thinking')?.signature;

/** Adds the signature to the first call, or to the last part if there is no call. */
const signed = (signature: string | undefined, at: boolean) =>
  signature && at ? { thoughtSignature: signature } : {};

const visibleParts = (choice: SimulatorChoice, showsThoughts: boolean): ReplyPart[] =>
  choice.parts.filter(({ kind }) => kind !== 'refusal' && (kind !== 'thinking' || showsThoughts));

function partOf(part: ReplyPart, text = textOf(part)) {
  if (part.kind === 'tool-call') return { functionCall: { name: part.name, args: JSON.parse(text) } };
  return part.kind === 'thinking' ? { text, thought: true } : { text };
}

function finish({ stop }: SimulatorChoice) {
  return {
    finishReason: FINISH_REASONS[stop],
    ...(stop === 'refusal' && { finishMessage: 'The simulator was asked to refuse.' }),
  };
}

export function writeGenerateBody(answer: GenerateAnswer): unknown {
  return {
    candidates: answer.reply.choices.map((choice, index) => ({
      content: { parts: signedParts(choice, answer.showsThoughts), role: 'model' },
      ...finish(choice),
      index,
    })),
    ...tail(answer, answer.reply.usage),
  };
}

function signedParts(choice: SimulatorChoice, showsThoughts: boolean) {
  const parts = visibleParts(choice, showsThoughts);
  const call = parts.findIndex(({ kind }) => kind === 'tool-call');
  const place = call < 0 ? parts.findIndex(({ kind }) => kind === 'text') : call;
  return parts.map((part, index) => ({ ...partOf(part), ...signed(signatureOf(choice), index === place) }));
}

export function* writeGenerateEvents(answer: GenerateAnswer): Iterable<SimulatorEvent> {
  const { usage } = answer.reply;
  let visible = 0;
  for (const [index, choice] of answer.reply.choices.entries()) {
    const chunk = (parts: object[], members: object, tokens: number) => {
      visible += tokens;
      const soFar = { ...usage, output: usage.thinking + visible };
      const candidate = { content: { parts, role: 'model' }, ...members, index };
      return streamEvent({ candidates: [candidate], ...tail(answer, soFar) }, tokens);
    };
    for (const part of visibleParts(choice, answer.showsThoughts)) yield* partChunks(part, choice, chunk);
    const unsigned = !choice.parts.some(({ kind }) => kind === 'tool-call');
    yield chunk([{ text: '', ...signed(signatureOf(choice), unsigned) }], finish(choice), 0);
  }
}

type Chunk = (parts: object[], members: object, tokens: number) => SimulatorEvent;

function* partChunks(part: ReplyPart, choice: SimulatorChoice, chunk: Chunk): Iterable<SimulatorEvent> {
  if (part.kind === 'tool-call') {
    const first = choice.parts.find(({ kind }) => kind === 'tool-call') === part;
    const tokens = part.pieces.reduce((sum, piece) => sum + piece.tokens, 0);
    yield chunk([{ ...partOf(part), ...signed(signatureOf(choice), first) }], {}, tokens);
    return;
  }
  for (const { text, tokens } of part.pieces) {
    yield chunk([partOf(part, text)], {}, part.kind === 'thinking' ? 0 : tokens);
  }
}
