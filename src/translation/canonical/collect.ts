import type { Refusal } from '../../base/errors/refusal.ts';
import type { CanonicalResponse, PartDelta, PartHead, StreamEvent } from './event.ts';
import type { OutputPart } from './part.ts';

/**
 * Folds a stream into the response that it describes.
 * Unary answers use this fold, so there is only one mapping.
 */
export function collect(events: Iterable<StreamEvent>): CanonicalResponse | Refusal {
  const collector = new Collector();
  for (const event of events) {
    if (event.type === 'response-error') return event.refusal;
    collector.add(event);
  }
  return collector.response;
}

/** Folds a stream while it passes through. */
export class Collector {
  readonly #byIndex = new Map<number, OutputPart>();
  readonly #response: CanonicalResponse = { responseId: '', model: '', parts: [], stop: { kind: 'other' } };

  add(event: StreamEvent): void {
    fold(this.#response, this.#byIndex, event);
  }

  get response(): CanonicalResponse {
    const parts = [...this.#byIndex].sort(([one], [other]) => one - other).map(([, part]) => part);
    return { ...this.#response, parts };
  }
}

function fold(response: CanonicalResponse, byIndex: Map<number, OutputPart>, event: StreamEvent): void {
  switch (event.type) {
    case 'response-start':
      response.responseId = event.responseId;
      response.model = event.model;
      return;
    case 'part-start':
      byIndex.set(event.index, openPart(event.part));
      return;
    case 'part-delta':
      growPart(byIndex.get(event.index), event.delta);
      return;
    case 'usage':
      response.usage = event.usage;
      return;
    case 'response-end':
      response.stop = event.stop;
      return;
    case 'part-end':
    case 'response-error':
      return;
    default:
      event satisfies never;
  }
}

/** Makes the empty part that a head opens. */
export function openPart(head: PartHead): OutputPart {
  switch (head.kind) {
    case 'text':
    case 'refusal':
      return { kind: head.kind, text: '' };
    case 'thinking':
      return { kind: 'thinking', form: head.form, text: '' };
    case 'tool-call': {
      const { inputKind, isSigned: _, ...call } = head;
      return { ...call, input: { kind: inputKind, text: '' } };
    }
    case 'redacted-thinking':
    case 'opaque':
      return { ...head };
  }
}

/** Adds a delta to its part. */
export function growPart(part: OutputPart | undefined, delta: PartDelta): void {
  if (part === undefined) throw new SyntaxError('a delta of a part that never began');
  if (delta.kind === 'opaque') return;
  if (delta.kind === 'citation' && part.kind === 'text') {
    part.citations ??= [];
    part.citations.push(delta.citation);
  } else if (delta.kind === 'replay-token' && (part.kind === 'thinking' || part.kind === 'tool-call'))
    part.replay = delta.replay;
  else if (delta.kind === 'tool-input' && part.kind === 'tool-call') part.input.text += delta.text;
  else if ('text' in delta && 'text' in part && delta.kind === part.kind) part.text += delta.text;
  else throw new SyntaxError(`a ${delta.kind} delta in a ${part.kind} part`);
}
