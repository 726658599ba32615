import { jsonList } from '../../../base/json/json-list.ts';
import { patchText } from '../../../base/json/patch-json.ts';
import { objectOf, parseObject, textOf } from '../../../base/json/read-json.ts';
import { sliceJson } from '../../../base/json/slice-json.ts';
import { lookUp } from '../../../base/lib/records.ts';
import { unixSeconds } from '../../../base/lib/unix-seconds.ts';
import type { BackgroundForm, BackgroundStatus, EventMeaning } from '../../contract/background-form.ts';
import { DONE } from '../../framing/done.ts';
import { formatFrame } from '../../framing/format-frame.ts';
import { eventNumber, InteractionEvents, interactionError } from './interaction-events.ts';
import { encodeHead, timeOfSeconds } from './interaction-head.ts';
import { StepsSoFar } from './steps-so-far.ts';

/**
 * The states of interactions that have ended. An interaction that waits for a result or a continuation is
 * complete.
 */
const finals: Readonly<Record<string, BackgroundStatus>> = {
  completed: 'completed',
  requires_action: 'completed',
  requires_continuation: 'completed',
  incomplete: 'incomplete',
};

/** Reads one stream. The frame after the last event counts as an event. */
class EventReader {
  readonly #steps = new StepsSoFar();
  #last = 0;
  #envelope = '{}';

  read(data: string): EventMeaning {
    if (data === DONE) return { number: ++this.#last };
    const event = parseObject(data);
    this.#last = eventNumber(textOf(event.event_id) ?? '') ?? this.#last;
    const item = this.#steps.add(event);
    return { number: this.#last, item, ...this.#state(event, data) };
  }

  #state(event: Readonly<Record<string, unknown>>, data: string): EventMeaning {
    const { event_type, interaction, error } = event;
    if (event_type === 'error') return { envelope: this.#failed(error), status: 'failed' };
    if (event_type !== 'interaction.created' && event_type !== 'interaction.completed') return {};
    this.#envelope = sliceJson(data, ['interaction']) ?? '{}';
    const status = textOf(objectOf(interaction).status) ?? '';
    return {
      envelope: this.#envelope,
      status: event_type === 'interaction.completed' ? lookUp(finals, status) : undefined,
    };
  }

  #failed(error: unknown): string {
    return withEnd(this.#envelope, { status: 'failed', steps: this.#steps.all(), error });
  }
}

type Ending = { status: 'failed' | 'cancelled'; steps: readonly string[]; error?: unknown };

/** Returns the object of an interaction that has no last event of its own. */
const withEnd = (envelope: string, { status, steps, error }: Ending): string =>
  patchText(envelope, {
    status: JSON.stringify(status),
    updated: JSON.stringify(timeOfSeconds(unixSeconds())),
    steps: jsonList(steps),
    ...(error !== undefined && { errors: JSON.stringify([error]) }),
  });

/** The objects and events of interactions that are made in the background. */
export const backgroundInteractionsForm: BackgroundForm = {
  path: '/v1beta/interactions',
  queued: (head) => JSON.stringify(encodeHead(head, 'queued')),
  reader: () => {
    const reader = new EventReader();
    return (data) => reader.read(data);
  },
  numberOf: (data) => (data === DONE ? undefined : eventNumber(textOf(parseObject(data).event_id) ?? '')),
  inProgress: (envelope) => patchText(envelope, { status: '"in_progress"' }),
  failed: (envelope, { items, refusal }) =>
    withEnd(envelope, { status: 'failed', steps: items, error: interactionError(refusal) }),
  cancelled: (envelope, items) => withEnd(envelope, { status: 'cancelled', steps: items }),
  failedStream: (_, refusal) => formatFrame(new InteractionEvents().error(refusal)),
};
