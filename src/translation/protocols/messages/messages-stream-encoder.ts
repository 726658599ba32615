import type { InputEstimator } from '../../canonical/estimator.ts';
import type { Stop, StreamEvent } from '../../canonical/event.ts';
import type { Frame } from '../../contract/frame.ts';
import type { ResponseHead } from '../../contract/response-head.ts';
import { MessageEvents } from './message-events.ts';
import { MessageParts } from './message-parts.ts';
import { openBlock } from './open-block.ts';
import { thinkingView } from './thinking-view.ts';

/** Encodes one stream. The message starts with its first block, when the input may already be counted. */
export class MessagesStreamEncoder {
  readonly #head: ResponseHead;
  readonly #events: MessageEvents;
  readonly #parts: MessageParts;

  constructor(head: ResponseHead, estimate?: InputEstimator) {
    this.#head = head;
    this.#events = new MessageEvents(head, estimate);
    this.#parts = new MessageParts(this.#events, thinkingView(head.request));
  }

  encode(event: StreamEvent): Frame[] {
    this.#write(event);
    return this.#events.take();
  }

  #write(event: StreamEvent): void {
    switch (event.type) {
      case 'response-start':
        break;
      case 'part-start':
        this.#parts.begin(event.index, event.part);
        break;
      case 'part-delta':
        this.#parts.grow(event.index, event.delta);
        break;
      case 'part-end':
        this.#parts.end(event.index);
        break;
      case 'usage':
        this.#events.usage = event.usage;
        break;
      case 'response-end':
        this.#finish(event.stop);
        break;
      case 'response-error':
        this.#events.fail(event.refusal);
        break;
      default:
        event satisfies never;
    }
  }

  #finish(stop: Stop): void {
    this.#parts.endAll();
    this.#events.start();
    // Clients read the last block as the answer, so an empty text follows thinking after the answer.
    if (this.#events.endsInThought) this.#parts.sendBlock(openBlock({ kind: 'text' }));
    // Only calls need their tokens. Some clients would take the empty text after a late one for the answer.
    if (this.#parts.hasLateTokens) this.#head.reportLoss?.('replay-token');
    this.#events.finish(stop, { hasCalls: this.#parts.hasCalls });
  }
}
