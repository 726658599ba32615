import { expect, test } from 'bun:test';
import type { UpstreamError } from '../../base/errors/upstream-error.ts';
import type { RefusedPreference } from '../../translation/canonical/refused-word.ts';
import { errorIn } from './error-in.ts';
import { refusedMember } from './refused-member.ts';

const error = (message: string, more: Partial<UpstreamError> = {}): UpstreamError =>
  ({ status: 400, code: null, message, param: null, ...more }) as UpstreamError;

test.each<[message: string, more: Partial<UpstreamError>, preference: RefusedPreference]>([
  [
    "Unsupported parameter: 'temperature' is not supported with this model.",
    { param: 'temperature' },
    'temperature',
  ],
  [
    "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
    { param: 'temperature', code: 'unsupported_value' },
    'temperature',
  ],
  ['`top_p` is deprecated for this model.', {}, 'top_p'],
  [
    'Invalid JSON payload received. Unknown name "topK" at \'generation_config\': Cannot find field.',
    {},
    'top_k',
  ],
  [
    'Malformed input request: #: extraneous key [top_k] is not permitted, please reformat your input.',
    {},
    'top_k',
  ],
  [
    '`temperature` and `top_p` cannot both be specified for this model. Please use only one.',
    {},
    'top_p_with_temperature',
  ],
  ['Model grok-4.5 does not support parameter presencePenalty.', {}, 'penalties'],
  ['Argument not supported on this model: stop', {}, 'stop'],
  ['invalid temperature: only 1 is allowed for this model', {}, 'temperature'],
  ['refused', { code: 'unknown_parameter', param: 'seed' }, 'seed'],
  ['Unrecognized request argument supplied: logit_bias', { status: 422 }, 'logit_bias'],
])('%s names a refused member [RES-34]', (message, more, preference) => {
  expect(refusedMember(error(message, more))).toBe(preference);
});

test.each<[message: string, more: Partial<UpstreamError>]>([
  ['temperature: must be at most 2', { param: 'temperature' }],
  ["Unsupported value: 'verbosity' does not support 'huge'.", { param: 'verbosity' }],
  ["Unsupported parameter: 'tools' is not supported with this model.", { param: 'tools' }],
  ["Unsupported parameter: 'max_tokens' is not supported with this model.", { param: 'max_tokens' }],
  ['invalid temperature: only 0 to 1 is allowed', {}],
  ['The prompt says: Unsupported parameter: temperature', {}],
  ["Unsupported parameter: 'temperature' is not supported.", { status: 404 }],
  ["Unsupported parameter: 'temperature' is not supported.", { status: 500 }],
])('%s refuses no preference [RES-34]', (message, more) => {
  expect(refusedMember(error(message, more))).toBeUndefined();
});

test('the list of problems that some hosts answer names a refused member [RES-34]', () => {
  const detail = [
    { type: 'extra_forbidden', loc: ['body', 'logit_bias'], msg: 'Extra inputs are not permitted' },
  ];
  expect(refusedMember({ ...errorIn({ detail }), status: 422 })).toBe('logit_bias');
  const inner = [{ ...detail[0], loc: ['body', 'metadata', 'seed'] }];
  expect(refusedMember({ ...errorIn({ detail: inner }), status: 422 })).toBeUndefined();
});

test('a member that begins the sentence may be capitalized [RES-34]', () => {
  expect(refusedMember(error('Temperature is not supported with this model.'))).toBe('temperature');
  expect(refusedMember(error('refused', { code: 'unknown_parameter', param: 'Top_P' }))).toBe('top_p');
});
