import { describe, expect, test } from 'bun:test';
import OpenAI from 'openai';
import { contractProblems, eventProblems } from '../../src/translation/protocols/testing/openai-contract.ts';
import { bearer, type Json } from '../support/call.ts';
import { openResponsesGateway } from '../support/responses-gateway.ts';
import { chatWires } from '../support/wire-models.ts';

const { server, key, askOn } = await openResponsesGateway();
const client = new OpenAI({ apiKey: key, baseURL: `${server.url}/v1`, maxRetries: 0 });

describe.each([...chatWires])('on %s', (wire) => {
  const { model, stream } = askOn(wire);

  test('the events of a stream are numbered [STR-09]', async () => {
    const events = await stream();
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual([...events.keys()]);
  });

  test('the events of a stream match the public schemas [STR-10]', async () => {
    for (const event of await stream()) {
      // The vendor sends null where its description has no value.
      if (event.response?.usage === null) delete event.response.usage;
      expect({ type: event.type, problems: eventProblems(event) }).toEqual({
        type: event.type,
        problems: [],
      });
    }
  });

  test('a stream builds its answer item by item [STR-07]', async () => {
    const types = (await stream()).map(({ type }) => type.replace('response.', ''));
    expect([...new Set(types)]).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'completed',
    ]);
  });

  test('a stream ends with the whole response [STR-11]', async () => {
    const events = await stream();
    const { response } = events.at(-1);
    expect(response).toMatchObject({ status: 'completed', output: [{ type: 'message' }] });
    expect(contractProblems('Response', response)).toEqual([]);
    expect(new Set(events.flatMap(({ response }: Json) => response?.id ?? [])).size).toBe(1);
  });

  test("serves the official client's stream helper", async () => {
    const response = await client.responses.stream({ model, input: 'say: hello' }).finalResponse();
    expect({ output_text: response.output_text, status: response.status }).toEqual({
      output_text: '[simulated] hello',
      status: 'completed',
    });
  });

  test('text is sent while the upstream is still generating [STR-08]', async () => {
    const body = { model: `stalling-on-${wire}`, input: 'count to 50', stream: true };
    const response = await fetch(`${server.url}/v1/responses`, {
      method: 'POST',
      headers: bearer(key),
      body: JSON.stringify(body),
    });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('response.output_text.delta')) text += (await reader.read()).value ?? '';
    expect(text).not.toContain('response.completed');
    await reader.cancel();
  });
});
