import { afterAll, describe, expect, test } from 'bun:test';
import { CallNumbers } from '../../src/translation/protocols/openai/call-numbers.ts';
import { fillChoices } from '../../src/translation/protocols/openai/fill-choices.ts';
import { flattenContent } from '../../src/translation/protocols/openai/flatten-content.ts';
import { contractProblems, eventProblems } from '../../src/translation/protocols/testing/openai-contract.ts';
import { bearer, type Json } from '../support/call.ts';
import { isLong } from '../support/is-long.ts';
import { dataOf } from '../support/messages-body.ts';
import type { AnswerContent, ContentCall } from '../support/recordings/answer-content.ts';
import {
  type ClientDialect,
  clientDialects,
  distinguishable,
} from '../support/recordings/client-dialects.ts';
import { readContent } from '../support/recordings/read-content.ts';
import { noAnswers, type Recording, recordings } from '../support/recordings/recording.ts';
import { startReplayingUpstream, upstreamModelOf } from '../support/recordings/replaying-upstream.ts';
import { shareOf } from '../support/share-of.ts';
import { startServer } from '../support/start-server.ts';
import { ableModel, chatWires, wirePrefix } from '../support/wire-models.ts';

const replayed = [...recordings, ...noAnswers];
const upstream = startReplayingUpstream(replayed);
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    providers: chatWires.map((wire) => ({
      id: `hidden-${wire}`,
      wire,
      base_url: upstream.url + wirePrefix[wire],
      ...(wire === 'bedrock-converse' && { api_key: 'key' }),
    })),
    catalog: {
      default: false,
      models: replayed.map(({ wire }, index) =>
        ableModel(`model-${index}`, [{ provider: `hidden-${wire}`, model: upstreamModelOf(index) }], {
          // Usage is cut to the window, and some recordings report a million tokens.
          context_window: 2_000_000,
        }),
      ),
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
const { key } = await server.createKey('enterprise');

const headers = { ...bearer(key), 'x-goog-api-key': key };

type Answered = { content: AnswerContent; objects: Json[]; text: string };

async function ask(dialect: ClientDialect, body: Json): Promise<Answered> {
  const { status, text } = await server.call(dialect.path, { headers, body });
  expect(status, text).toBe(200);
  const objects = body.stream ? dataOf(text) : [JSON.parse(text)];
  return { content: dialect.read(objects), objects, text };
}

/** The published schema lacks the streamed calls of freeform tools, which the vendor sends. */
const isDescribed = ({ recording, sent }: Case, { wire }: ClientDialect): boolean =>
  !(wire === 'openai-chat' && recording.stream && sent.calls.some(({ isFreeform }) => isFreeform));

/** Checks a response or an event against the published API schema. The messages dialect has none. */
function shapeProblems(object: Json): unknown[] {
  if (object?.object === 'chat.completion') return contractProblems('CreateChatCompletionResponse', object);
  if (object?.object === 'chat.completion.chunk')
    return contractProblems('CreateChatCompletionStreamResponse', object);
  if (object?.object === 'response') return contractProblems('Response', object);
  if (!object?.type?.startsWith('response.')) return [];
  // The published schema does not allow the null usage with which a response begins.
  const { usage, ...response } = object.response ?? {};
  return eventProblems(object.response && usage === null ? { ...object, response } : object);
}

const ENDS = /^(message_stop|response\.(completed|incomplete))$/;

const parsed = ({ input, ...call }: ContentCall) => ({ name: call.name, input: JSON.parse(input.text) });
const texts = (calls: readonly ContentCall[]) => calls.map(({ name, input }) => [name, input.text]);

/** Compares arguments as text if both protocols send text, else as values. */
function expectCalls(
  calls: readonly ContentCall[],
  sent: readonly ContentCall[],
  dialect: ClientDialect,
): void {
  const plain = sent.map((call) => (call.isFreeform && !calls[0]?.isFreeform ? wrapped(call) : call));
  const isExact = [...calls, ...plain].every(({ input, isFreeform }) => input.isExact || isFreeform);
  if (isExact) expect([dialect.name, ...texts(calls)]).toEqual([dialect.name, ...texts(plain)]);
  else expect(calls.map(parsed)).toEqual(plain.map(parsed));
}

/** Converts a freeform call into the form of protocols that only have objects. */
const wrapped = (call: ContentCall): ContentCall => ({
  ...call,
  input: { text: JSON.stringify({ input: call.input.text }), isExact: false },
});

/** Checks the usage. The gateway estimates it if the host reports none or reports no input. */
function expectUsage(answered: AnswerContent['usage'], sent: AnswerContent['usage']): void {
  if (sent !== undefined && sent.input > 0) expect(answered).toEqual(sent);
  else {
    expect(answered!.input).toBeGreaterThan(0);
    expect(answered!.output).toBeGreaterThan(0);
  }
}

type Case = { recording: Recording; index: number; sent: AnswerContent };
/**
 * The window of the models here. A vendor that ran tools may count more, which the gateway does not believe
 * of a request without them.
 */
const WINDOW = 200_000;
const cases: Case[] = recordings
  .map((recording, index) => ({ recording, index, sent: readContent(recording) }))
  .filter(({ sent }) => (sent.usage?.input ?? 0) <= WINDOW);

for (const [number, dialect] of clientDialects.entries()) {
  /** In the ordinary run, each recording is requested in one dialect. */
  const read = shareOf(cases, { turn: number, of: clientDialects.length });
  /** A full run sends every third recording back, and other ones in each dialect. */
  const third = isLong ? cases : cases.filter(({ index }) => index % 3 === number % 3);
  const sentBack = shareOf(third, { turn: number, of: 4 });

  describe(`upstream answers, requested in ${dialect.name}`, () => {
    const question = ({ recording, index, sent }: Case) =>
      dialect.ask({
        model: `model-${index}`,
        stream: recording.stream,
        thinks: true,
        calls: sent.calls,
      });

    test.each(read)('$recording.name has the same content', async (recorded) => {
      const { content, objects } = await ask(dialect, question(recorded));
      const { sent, recording } = recorded;
      if (recording.wire !== dialect.wire && isDescribed(recorded, dialect))
        expect(objects.flatMap(shapeProblems)).toEqual([]);
      expect(content).toMatchObject({ ...distinguishable(sent, dialect), thinking: sent.thinking });
      expectUsage(content.usage, sent.usage);
      expectCalls(content.calls, sent.calls, dialect);
    });

    test.each(sentBack)('$recording.name can be sent back unchanged', async (recorded) => {
      const { sent } = recorded;
      const body = question(recorded);
      const { objects } = await ask(dialect, body);
      const answer = body.stream ? await dialect.join(objects) : objects[0];
      await ask(dialect, dialect.goOn(body, answer));
      const back = upstream.lastBody();
      // A stream of messages has no place for the token of a text that has been sent. Only calls need theirs.
      const isLate = dialect.name === 'messages' && body.stream && sent.calls.length === 0;
      if (!isLate || recorded.recording.wire !== 'google-generate')
        for (const token of sent.tokens)
          expect({ token, isIncluded: back.includes(token) }).toEqual({ token, isIncluded: true });
      for (const { name } of sent.calls) expect(back).toContain(JSON.stringify(name));
      expect(back).not.toContain('tollgate-');
    });

    test.each(
      third.filter(({ recording }) => recording.wire !== dialect.wire),
    )('$recording.name omits thinking that the caller did not request', async ({
      recording,
      index,
      sent,
    }) => {
      const { stream } = recording;
      const answered = await ask(
        dialect,
        dialect.ask({ model: `model-${index}`, stream, thinks: false, calls: sent.calls }),
      );
      expect(answered.content).toMatchObject({ ...distinguishable(sent, dialect), thinking: '' });
      if (!dialect.alwaysSigns) expect(answered.content.tokens).toEqual([]);
    });

    test.each(
      cases.filter(({ recording }) => recording.wire === dialect.wire),
    )('$recording.name passes through unchanged except for fields that name its host', async (recorded) => {
      const { objects } = await ask(dialect, question(recorded));
      const sent: Json[] = recorded.recording.lines.map((line) => JSON.parse(line));
      const end = sent.findIndex(({ type }) => ENDS.test(type));
      const answer = end < 0 ? sent : sent.slice(0, end + 1);
      const isCounted = dialect.wire !== 'openai-chat' || answer.some(({ usage }) => usage);
      const passed = isCounted ? objects : objects.flatMap(withoutUsage);
      expect(passed.map((one) => relabelled(one, objects[0]))).toEqual(
        answer.map((one) => relabelled(asDocumented(one), objects[0])),
      );
    });
  });
}

/**
 * If a host omits usage from its usual place, the gateway adds it: a field of a whole answer, a chunk of a
 * stream.
 */
const withoutUsage = ({ usage, ...one }: Json): Json[] => (one.choices.length > 0 ? [one] : []);

/**
 * Mistral's content lists become texts. A null in place of encrypted reasoning is left out. Whole answers get
 * the members that their hosts omit, and chunks their object and the indexes of calls.
 */
const asDocumented = (one: Json): Json =>
  Array.isArray(one.choices)
    ? {
        object: 'chat.completion.chunk',
        ...one,
        choices: completed(one.object, flattenContent(one.choices as Json[]) ?? one.choices),
      }
    : JSON.parse(JSON.stringify({ ...defaultsOf[one.type], ...one }), (_, value) =>
        value?.type === 'reasoning'
          ? { ...value, encrypted_content: value.encrypted_content ?? undefined }
          : value,
      );

/** The members that some hosts omit from an object of a type. */
const defaultsOf: Readonly<Record<string, object>> = {
  message: { stop_sequence: null },
  'response.output_text.done': { logprobs: [] },
};

function completed(object: string, choices: Json[]): Json[] {
  if (object !== 'chat.completion') return new CallNumbers().number(choices) ?? choices;
  const filled = fillChoices(choices, () => JSON.stringify(choices));
  return filled ? JSON.parse(filled) : choices;
}

/** Removes the gateway's names. The last event of the client has the steps too. */
const relabelledEvent = ({ event_id, interaction, interaction_id, continuation_token, ...event }: Json) => ({
  ...event,
  ...(interaction && { interaction: { status: interaction.status } }),
});

/**
 * Takes the id and the model from the client's answer, and removes fields of single hosts. Of responses only
 * the output is compared, because the envelope repeats the request.
 */
function relabelled(object: Json, answered: Json): Json {
  const { sequence_number: _, ...event } = object;
  if (object.object === 'interaction') return object.steps;
  if (object.event_type) return relabelledEvent(object);
  if (object.response) return { ...event, response: object.response.output };
  if (object.object === 'response') return object.output;
  const label = ({ system_fingerprint: __, x_groq: ___, ...one }: Json) => ({
    ...one,
    ...(one.usage && object.choices && { usage: promised(one.usage) }),
    ...('id' in one && { id: (answered.message ?? answered).id }),
    ...('model' in one && { model: (answered.message ?? answered).model }),
  });
  return object.message ? { ...object, message: label(object.message) } : label(event);
}

/**
 * Hosts of chat completions omit details, and some count reasoning in addition to the output. The cost at the
 * host is removed.
 */
const promised = ({ cost_in_usd_ticks: _, ...usage }: Json): Json => ({
  ...usage,
  completion_tokens: usage.total_tokens - usage.prompt_tokens,
  prompt_tokens_details: {
    cached_tokens: usage.cached_tokens ?? usage.prompt_cache_hit_tokens ?? 0,
    cache_write_tokens: 0,
    audio_tokens: 0,
    ...usage.prompt_tokens_details,
  },
  completion_tokens_details: {
    reasoning_tokens: Math.max(0, usage.total_tokens - usage.prompt_tokens - usage.completion_tokens),
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
    ...usage.completion_tokens_details,
  },
});

const failures = noAnswers.map((failure, at) => ({ ...failure, index: recordings.length + at }));

/**
 * A failure that arrives with the first bytes of an answer is a refusal, since nothing of the answer has been
 * sent by then.
 */
for (const dialect of clientDialects) {
  const shortage = dialect.wire === 'anthropic-messages' ? 529 : 503;
  const statuses: Record<string, number> = { upstream_overloaded: shortage, upstream_unavailable: 503 };

  describe(`upstream failures, requested in ${dialect.name}`, () => {
    test.each(failures)('$name becomes an error without any of its text', async ({
      index,
      stream,
      facts,
    }) => {
      const asked = dialect.ask({ model: `model-${index}`, stream, thinks: true, calls: [] });
      const { status, text, body } = await server.call(dialect.path, { headers, body: asked });
      const [info] = body.error.details ?? [];
      expect(status).toEqual(statuses[facts.code] ?? 400);
      expect(info?.metadata.code ?? body.error.code).toEqual(facts.code);
      for (const secret of [facts.text, facts.never])
        expect(secret === undefined || !text.includes(secret)).toBe(true);
    });
  });
}
