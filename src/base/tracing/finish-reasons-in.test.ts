import { expect, test } from 'bun:test';
import { finishReasonsIn } from './finish-reasons-in.ts';

test.each<[string, string, string[]]>([
  [
    'choices of a chat completion',
    '{"choices":[{"finish_reason":"stop"},{"finish_reason":"length"}]}',
    ['stop', 'length'],
  ],
  [
    'a frame of a chat stream',
    'data: {"choices":[{"delta":{},"finish_reason":"tool_calls"}]}\n\n',
    ['tool_calls'],
  ],
  ['a frame before the last one', 'data: {"choices":[{"delta":{},"finish_reason":null}]}\n\n', []],
  ['a message', '{"type":"message","content":[],"stop_reason":"end_turn"}', ['end_turn']],
  ['text that quotes the member', '{"content":"\\"finish_reason\\":\\"stop\\""}', []],
  [
    'a response',
    '{"id":"resp_1","object":"response","status":"completed","output":[{"status":"completed"}]}',
    ['completed'],
  ],
  [
    'a response that was cut',
    '{"object":"response","status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}}',
    ['max_output_tokens'],
  ],
  [
    'the last event of a response',
    'event: response.completed\ndata: {"response":{"status":"completed"}}',
    ['completed'],
  ],
  [
    'a failed response with a complete item',
    'event: response.failed\ndata: {"response":{"status":"failed","output":[{"status":"completed"}]}}',
    ['failed'],
  ],
  [
    "an answer in Google's form",
    '{"candidates":[{"content":{},"finishReason":"MAX_TOKENS"}]}',
    ['MAX_TOKENS'],
  ],
  [
    'another event of a response',
    'event: response.output_item.done\ndata: {"item":{"status":"completed"}}',
    [],
  ],
])('reads the reasons of %s', (_, text, reasons) => {
  expect(finishReasonsIn(text)).toEqual(reasons);
});
