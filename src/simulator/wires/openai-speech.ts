import { SOUND_FORMATS, type SoundFormat, soundOf, soundType } from '../media/sound.ts';
import { bearerOf } from '../model/bearer-of.ts';
import type { Field } from '../model/field.ts';
import { SSE_FRAMING } from '../model/sse-framing.ts';
import { type SimulatorEvent, streamEvent } from '../model/stream-event.ts';
import type { SimulatorAnswer, SimulatorExchange, SimulatorWire } from '../model/wire.ts';
import { openaiErrorBody } from './openai-errors.ts';

const MAX_CHARACTERS = 4_096;
const CHARACTERS_PER_SECOND = 15;
const TOKENS_PER_SECOND = 20;

type Speech = { format: SoundFormat; seconds: number; usage: object | undefined };

function answer(exchange: SimulatorExchange): SimulatorAnswer {
  const { body, model } = exchange;
  const speech = readSpeech(exchange);
  const streamFormat = body.at('stream_format');
  const streamed = streamFormat.present && streamFormat.oneOf(['sse', 'audio']) === 'sse';
  if (streamed && /^tts-1(-hd)?$/.test(model)) streamFormat.fail(`sse is not supported with ${model}`);
  return {
    streamed,
    body: () => ({}),
    raw: () => ({ contentType: soundType(speech.format), pieces: soundOf(speech.format, speech.seconds) }),
    events: () => eventsOf(speech),
  };
}

function readSpeech({ body, tokenizer, reportsUsage }: SimulatorExchange): Speech {
  const text = readText(body.at('input'));
  const voice = body.at('voice');
  if (!voice.isText()) voice.at('id').text();
  const instructions = body.at('instructions').optionalText() ?? '';
  const speed = body.at('speed').number({ min: 0.25, max: 4, whole: false }) ?? 1;
  const format = body.at('response_format');
  const seconds = [...text].length / CHARACTERS_PER_SECOND / speed;
  const input = tokenizer.count(text) + tokenizer.count(instructions);
  const output = Math.ceil(seconds * TOKENS_PER_SECOND);
  const usage = { input_tokens: input, output_tokens: output, total_tokens: input + output };
  return {
    seconds,
    format: format.present ? format.oneOf(SOUND_FORMATS) : 'mp3',
    usage: reportsUsage ? usage : undefined,
  };
}

function readText(field: Field): string {
  const text = field.text() || field.fail('must not be empty');
  return text.length <= MAX_CHARACTERS
    ? text
    : field.fail(`at most ${MAX_CHARACTERS} characters are supported`);
}

function* eventsOf({ format, seconds, usage }: Speech): Iterable<SimulatorEvent> {
  for (const piece of soundOf(format, seconds)) {
    const audio = Buffer.from(piece).toString('base64');
    yield streamEvent({ type: 'speech.audio.delta', audio }, TOKENS_PER_SECOND / 2);
  }
  yield streamEvent({ type: 'speech.audio.done', ...(usage && { usage }) });
}

export const OPENAI_SPEECH: SimulatorWire = {
  id: 'openai-audio',
  path: /^\/audio\/speech$/,
  framing: SSE_FRAMING,
  credential: bearerOf,
  answer,
  failureBody: openaiErrorBody,
  failureEvents: (failure) => [streamEvent(openaiErrorBody(failure))],
};
