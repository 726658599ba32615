import { expect, test } from 'bun:test';
import { createResponsesFrameReader } from '../../../src/translation/protocols/responses/responses-frame-reader.ts';
import type { Json } from '../../support/call.ts';
import { answersOn } from '../../support/recordings/test-answers.ts';

const label = { id: 'resp_ours', model: 'asked-for' };
const estimate = { input: () => 50, text: (text: string) => Math.ceil(text.length / 4) };
const streams = answersOn('openai-responses').filter(({ stream }) => stream);

const dataOf = (text: string): string => text.slice(text.indexOf('data: ') + 'data: '.length).trimEnd();

/** Usage is compared elsewhere: an event that only begins the answer has none yet. */
const labelled = ({ response, ...event }: Json, sequence_number: number): Json => ({
  ...event,
  sequence_number,
  ...(response && {
    response: { ...response, ...label, previous_response_id: null, store: true, usage: null },
  }),
});

test.each(streams)('passes each event of $name with the gateway’s id and model [STR-27]', ({ lines }) => {
  const read = createResponsesFrameReader({
    label: { ...label, estimate },
    asked: { reasoning: {}, include: [] },
    view: { showsThinking: true, showsEncrypted: true },
  });
  for (const [number, data] of lines.entries()) {
    const event = JSON.parse(data);
    const passed = dataOf(read({ data }).text);
    const { response, ...told } = JSON.parse(passed);
    expect({ ...told, ...(response && { response: { ...response, usage: null } }) }).toEqual(
      labelled(event, number),
    );
    if (event.response === undefined && event.sequence_number === number) expect(passed).toBe(data);
  }
});
