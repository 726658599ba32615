import { jsonList } from '../../../base/json/json-list.ts';
import { patchText } from '../../../base/json/patch-json.ts';
import { parseObject } from '../../../base/json/read-json.ts';
import { sliceJson } from '../../../base/json/slice-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { BackgroundForm, BackgroundStatus, EventMeaning } from '../../contract/background-form.ts';
import { encodeEnvelope } from './envelope.ts';
import { EventWriter } from './event-writer.ts';
import { failedError } from './failed-error.ts';

/** The events that end an answer, with its state after them. */
const finals: Readonly<Record<string, BackgroundStatus>> = {
  'response.completed': 'completed',
  'response.incomplete': 'incomplete',
  'response.failed': 'failed',
};

function read(data: string): EventMeaning {
  const event = parseObject(data);
  const type = String(event.type);
  const number = event.sequence_number;
  return {
    number: typeof number === 'number' ? number : undefined,
    envelope: isObject(event.response) ? sliceJson(data, ['response']) : undefined,
    item: type === 'response.output_item.done' ? (sliceJson(data, ['item']) ?? '{}') : undefined,
    status: lookUp(finals, type),
  };
}

/** The objects and events of responses that are made in the background. */
export const backgroundResponsesForm: BackgroundForm = {
  path: '/v1/responses',
  queued: (head) => JSON.stringify(encodeEnvelope(head, { status: 'queued', output: [], outputText: '' })),
  reader: () => read,
  numberOf: (data) => read(data).number,
  inProgress: (envelope) => patchText(envelope, { status: '"in_progress"' }),
  failed: (envelope, { items, refusal }) =>
    patchText(envelope, {
      status: '"failed"',
      error: JSON.stringify(failedError(refusal)),
      output: jsonList(items),
    }),
  cancelled: (envelope, items) => patchText(envelope, { status: '"cancelled"', output: jsonList(items) }),
  failedStream: (envelope, refusal) => new EventWriter().writeFailure(refusal, envelope),
};
