import { membersOf, patchJson } from '../../../base/json/patch-json.ts';
import { parseObject } from '../../../base/json/read-json.ts';
import { sliceJson } from '../../../base/json/slice-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { BackgroundForm, BackgroundStatus, EventMeaning } from '../../contract/background-form.ts';
import { encodeEnvelope } from './envelope.ts';
import { failedError } from './failed-error.ts';

const finals: Readonly<Record<string, BackgroundStatus>> = {
  'response.completed': 'completed',
  'response.incomplete': 'incomplete',
  'response.failed': 'failed',
};

function read(data: string): EventMeaning {
  const event = parseObject(data);
  const type = String(event['type']);
  const number = event['sequence_number'];
  return {
    number: typeof number === 'number' ? number : undefined,
    envelope: isObject(event['response']) ? sliceJson(data, ['response']) : undefined,
    item: type === 'response.output_item.done' ? (sliceJson(data, ['item']) ?? '{}') : undefined,
    status: lookUp(finals, type),
  };
}

const patched = (envelope: string, patch: Readonly<Record<string, string>>): string =>
  patchJson(envelope, membersOf(envelope), patch);

const listOfTexts = (items: readonly string[]): string => `[${items.join(',')}]`;

/** Shows responses while and after they are made in the background. */
export const backgroundResponsesForm: BackgroundForm = {
  path: '/v1/responses',
  queued: (head) => JSON.stringify(encodeEnvelope(head, { status: 'queued', output: [], outputText: '' })),
  reader: () => read,
  numberOf: (data) => read(data).number,
  inProgress: (envelope) => patched(envelope, { status: '"in_progress"' }),
  failed: (envelope, { items, refusal }) =>
    patched(envelope, {
      status: '"failed"',
      error: JSON.stringify(failedError(refusal)),
      output: listOfTexts(items),
    }),
  cancelled: (envelope, items) => patched(envelope, { status: '"cancelled"', output: listOfTexts(items) }),
};
