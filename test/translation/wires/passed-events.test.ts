import { expect, test } from 'bun:test';
import { encodeEnvelope } from '../../../src/translation/protocols/responses/envelope.ts';
import { ResponsesFrameReader } from '../../../src/translation/protocols/responses/responses-frame-reader.ts';
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

/** A null in place of encrypted reasoning is not passed on. */
const withoutNulls = (value: Json): Json =>
  JSON.parse(JSON.stringify(value), (name, member) =>
    name === 'encrypted_content' && member === null ? undefined : member,
  );

const head = { responseId: '', model: '', createdAt: 0, body: { value: {} } };
const required = Object.keys(encodeEnvelope(head, { status: 'in_progress', output: [], outputText: '' }));

/** Removes required members that the host omitted, or sent as null. */
const asSent = (shown: Json, sent: Json): Json =>
  Object.fromEntries(
    Object.entries(shown)
      .filter(([name]) => Object.hasOwn(sent, name) || !required.includes(name))
      .map(([name, value]) => [name, sent[name] === null ? null : value]),
  );

const newReader = () =>
  new ResponsesFrameReader({
    label: { ...label, estimate },
    requestBody: { reasoning: {}, include: [] },
    view: { showsThinking: true, showsEncrypted: true },
  });

test.each(streams)('passes each event of $name with the gateway’s id and model [STR-27]', ({ lines }) => {
  let reader = newReader();
  let number = 0;
  for (const data of lines) {
    const event = JSON.parse(data);
    if (event.type === 'response.created') {
      // A recording of several turns has a stream for each.
      reader = newReader();
      number = 0;
    }
    const passed = dataOf(reader.read({ data }).text);
    const { response, ...reported } = JSON.parse(passed);
    const wanted = withoutNulls(labelled(event, number));
    if (response) reported.response = asSent({ ...response, usage: null }, wanted.response);
    const lacksLogprobs = event.type === 'response.output_text.done' && event.logprobs === undefined;
    expect(reported).toEqual(lacksLogprobs ? { ...wanted, logprobs: [] } : wanted);
    const isWhole =
      event.response === undefined && !data.includes('"encrypted_content":null') && !lacksLogprobs;
    if (isWhole && event.sequence_number === number) expect(passed).toBe(data);
    number++;
  }
});
