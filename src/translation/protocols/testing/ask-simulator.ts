import { acceptedOrError } from '../../../base/errors/accepted-or-error.ts';
import type { Refusal } from '../../../base/errors/refusal.ts';
import { collect } from '../../canonical/collect.ts';
import type { CanonicalResponse, StreamEvent } from '../../canonical/event.ts';
import type { CanonicalRequest } from '../../canonical/request.ts';
import type { EncodeTarget } from '../../contract/encode-target.ts';
import type { Frame } from '../../contract/frame.ts';
import type { WireCodec } from '../../contract/wire-codec.ts';

type FrameCutter = { push(chunk: Uint8Array): Frame[]; end(): Frame[] };
type SimulatorResult = { events: StreamEvent[]; response: CanonicalResponse | Refusal };

/**
 * A simulator wire, reached as the gateway would reach it: encoded, sent over HTTP, cut into frames and
 * decoded.
 */
export type SimulatedWire = {
  codec: WireCodec;
  baseUrl: string;
  headers: Record<string, string>;
  newSplitter(): FrameCutter;
};

const simulatedTarget: EncodeTarget = {
  upstreamModel: 'sim',
  reasoning: true,
  reasoningEfforts: ['low', 'medium', 'high'],
};

/**
 * Asks the simulator. `misbehaviour` has the form used in the simulator's model names, for example
 * `error-after=2`.
 */
export async function askSimulator(
  wire: SimulatedWire,
  request: CanonicalRequest,
  misbehaviour?: string,
): Promise<SimulatorResult> {
  const { codec } = wire;
  const target = misbehaviour
    ? { ...simulatedTarget, upstreamModel: `sim!${misbehaviour}` }
    : simulatedTarget;
  const encoded = acceptedOrError(codec.encodeRequest(request, target));
  const answer = await fetch(wire.baseUrl + codec.path(request, target), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...wire.headers },
    body: encoded.body,
  });
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
  const frames = request.stream
    ? framesOf(await answer.bytes(), wire)
    : codec.splitAnswer(await answer.text());
  const decode = codec.streamDecoder();
  const events = frames.flatMap(decode);
  return { events, response: collect(events) };
}

/** Splits the bytes into pieces of a prime length, so that the cuts fall everywhere. */
function framesOf(bytes: Uint8Array, { codec, newSplitter }: SimulatedWire): Frame[] {
  const splitter = newSplitter();
  const frames: Frame[] = [];
  for (let at = 0; at < bytes.length; at += 61) frames.push(...splitter.push(bytes.subarray(at, at + 61)));
  return [...frames, ...splitter.end(), ...(codec.closingFrame ? [codec.closingFrame] : [])];
}
