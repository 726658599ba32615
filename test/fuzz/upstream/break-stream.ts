import { AWS_FRAMING } from '../../../src/simulator/model/aws-framing.ts';
import { SseSplitter } from '../../../src/translation/framing/sse-splitter.ts';
import { AwsEventStream } from '../../../src/translation/protocols/bedrock/aws-event-stream.ts';
import type { Draw } from '../draw.ts';
import { mutateBytes } from '../mutate-bytes.ts';
import { mutateJson } from '../mutate-json.ts';
import { oddJson } from '../odd-json.ts';
import type { BaseAnswer } from './base-answers.ts';

type Frame = { event?: string | undefined; data: string };
type FrameChange = (frames: Frame[], draw: Draw) => Frame[];

const AWS_TYPE = 'application/vnd.amazon.eventstream';

/** Frames in unexpected places: the vendors' own errors, events of other protocols, and empty frames. */
const strays: readonly Frame[] = [
  { data: '' },
  { data: 'garbage' },
  { data: '[DONE]' },
  { data: 'null' },
  { data: '{}' },
  { data: '[]' },
  { event: 'ping', data: '{"type":"ping"}' },
  { event: 'error', data: '{"type":"error","error":{"type":"overloaded_error","message":"hidden"}}' },
  { event: 'error', data: '{"type":"error","error":null}' },
  { data: '{"error":{"message":"hidden","type":"server_error","code":"rate_limit_exceeded"}}' },
  { data: '{"error":"hidden"}' },
  { data: '{"error":{"code":503,"status":"UNAVAILABLE","message":"hidden"}}' },
  { event: 'error', data: '{"type":"error","code":"server_error","message":"hidden","sequence_number":3}' },
  {
    data: '{"type":"response.failed","response":{"id":"hidden","status":"failed","error":{"code":"server_error"}}}',
  },
  { data: '{"type":"response.failed"}' },
  { event: 'throttlingException', data: '{"message":"hidden"}' },
  { event: 'modelStreamErrorException', data: 'hidden' },
  { event: 'message_stop', data: '{"type":"message_stop"}' },
  { event: 'message_start', data: '{"type":"message_start","message":{}}' },
  {
    event: 'content_block_delta',
    data: '{"type":"content_block_delta","index":7,"delta":{"type":"text_delta","text":"x"}}',
  },
  { event: 'contentBlockStop', data: '{"contentBlockIndex":99}' },
  { event: 'unheard-of', data: '{"type":"unheard-of"}' },
];

const frameChanges: readonly FrameChange[] = [
  (frames, draw) => {
    const at = draw.below(frames.length);
    return frames.with(at, { ...frames[at]!, data: mutateJson(frames[at]!.data, draw) });
  },
  (frames, draw) => {
    const at = draw.below(frames.length);
    return frames.with(at, { ...frames[at]!, data: mutateJson(frames[at]!.data, draw) });
  },
  (frames, draw) => frames.toSpliced(draw.below(frames.length), draw.between(1, 2)),
  (frames, draw) => {
    const at = draw.below(frames.length);
    return frames.toSpliced(at, 0, frames[at]!);
  },
  (frames, draw) => {
    const [taken] = frames.splice(draw.below(frames.length), 1);
    return frames.toSpliced(draw.below(frames.length + 1), 0, taken!);
  },
  (frames, draw) => frames.slice(0, draw.below(frames.length)),
  (frames, draw) => frames.slice(draw.below(frames.length)),
  (frames, draw) => frames.toSpliced(draw.below(frames.length + 1), 0, draw.of(strays)),
  (frames, draw) => frames.with(draw.below(frames.length), { data: oddJson(draw) }),
  (frames, draw) => {
    const at = draw.below(frames.length);
    return frames.with(at, {
      ...frames[at]!,
      event: draw.of([undefined, 'error', '', 'message', frames[0]!.event]),
    });
  },
  (frames) => [...frames, ...frames],
  (frames) => frames.reverse(),
];

/** A well-formed stream with changes to its frames, their writing, or its bytes. */
export function breakStream({ contentType, bytes }: BaseAnswer, draw: Draw): Uint8Array {
  const isAws = contentType.includes(AWS_TYPE);
  const splitter = isAws ? new AwsEventStream() : new SseSplitter();
  let frames: Frame[] = [...splitter.push(bytes), ...splitter.end()];
  for (let count = draw.below(3); count > 0 && frames.length > 0; count--)
    frames = draw.of(frameChanges)([...frames], draw);
  const made = isAws ? awsBytes(frames) : sseBytes(frames, draw);
  return draw.chance(0.2) ? mutateBytes(made, draw) : made;
}

const awsBytes = (frames: readonly Frame[]): Uint8Array =>
  Buffer.concat(frames.map(({ event, data }) => AWS_FRAMING.encode({ name: event ?? '', data, tokens: 0 })));

const BOM = '\ufeff';

/** Server-sent events can be written in many ways that mean the same. */
function sseBytes(frames: readonly Frame[], draw: Draw): Uint8Array {
  const ends = draw.chance(0.5) ? ['\n'] : draw.of([['\r\n'], ['\r'], ['\n', '\r\n', '\r']]);
  const end = () => draw.of(ends);
  const space = draw.chance(0.8) ? ' ' : '';
  const noise = draw.chance(0.2)
    ? () =>
        draw.of(['', `: hidden comment${end()}`, `id: 7${end()}`, `retry: 1${end()}`, end(), `data${end()}`])
    : () => '';
  const text = frames.map(({ event, data }) => {
    const name = event === undefined ? '' : `event:${space}${event}${end()}`;
    const lines = data.split('\n').map((line) => `data:${space}${line}${end()}`);
    return `${noise()}${name}${lines.join('')}${end()}`;
  });
  return Buffer.from((draw.chance(0.05) ? BOM : '') + text.join(''));
}
