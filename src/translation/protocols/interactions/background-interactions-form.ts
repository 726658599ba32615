import { membersOf, patchJson } from '../../../base/json/patch-json.ts';
import { objectOf, parseObject, textOf } from '../../../base/json/read-json.ts';
import { sliceJson } from '../../../base/json/slice-json.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { BackgroundForm, BackgroundStatus, EventMeaning } from '../../contract/background-form.ts';
import { encodeHead } from './encode-interaction.ts';
import { DONE, eventNumber, interactionError } from './interaction-events.ts';
import { StepsSoFar } from './steps-so-far.ts';

/** The state of an interaction that has ended. One that waits for a result or a continuation is complete. */
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
    this.#last = eventNumber(textOf(event['event_id']) ?? '') ?? this.#last;
    const item = this.#steps.add(event);
    return { number: this.#last, item, ...this.#state(event, data) };
  }

  #state(event: Readonly<Record<string, unknown>>, data: string): EventMeaning {
    const { event_type, interaction, error } = event;
    if (event_type === 'error') return { envelope: this.#failed(error), status: 'failed' };
    if (event_type !== 'interaction.created' && event_type !== 'interaction.completed') return {};
    this.#envelope = sliceJson(data, ['interaction'])!;
    const status = textOf(objectOf(interaction).status) ?? '';
    return {
      envelope: this.#envelope,
      status: event_type === 'interaction.completed' ? lookUp(finals, status) : undefined,
    };
  }

  #failed(error: unknown): string {
    return ended(this.#envelope, 'failed', this.#steps.all(), { errors: JSON.stringify([error]) });
  }
}

function ended(
  envelope: string,
  status: string,
  steps: readonly string[],
  more: Readonly<Record<string, string>> = {},
): string {
  const now = new Date(Math.floor(Date.now() / 1_000) * 1_000).toISOString().replace('.000Z', 'Z');
  const patch = {
    status: JSON.stringify(status),
    updated: JSON.stringify(now),
    steps: `[${steps.join(',')}]`,
    ...more,
  };
  return patchJson(envelope, membersOf(envelope), patch);
}

/** Shows interactions while and after they are made in the background. */
export const backgroundInteractionsForm: BackgroundForm = {
  path: '/v1beta/interactions',
  queued: (head) => JSON.stringify(encodeHead(head, 'queued')),
  reader: () => {
    const reader = new EventReader();
    return (data) => reader.read(data);
  },
  numberOf: (data) => (data === DONE ? undefined : eventNumber(textOf(parseObject(data)['event_id']) ?? '')),
  inProgress: (envelope) => patchJson(envelope, membersOf(envelope), { status: '"in_progress"' }),
  failed: (envelope, { items, refusal }) =>
    ended(envelope, 'failed', items, { errors: JSON.stringify([interactionError(refusal)]) }),
  cancelled: (envelope, items) => ended(envelope, 'cancelled', items),
};
