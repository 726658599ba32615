import type { Refusal } from '../../base/errors/refusal.ts';
import type { StreamEvent } from '../canonical/event.ts';
import type { Loss } from '../canonical/loss.ts';
import type { ProtocolId } from '../canonical/protocol-id.ts';
import type { CanonicalRequest } from '../canonical/request.ts';
import type { EncodeTarget } from './encode-target.ts';
import type { Frame } from './frame.ts';

/** A request in a wire's form, and what it lacks of the client's request. */
export type EncodedRequest = { body: string; losses: Loss[] };

/** The half of a protocol that providers serve. */
export type WireCodec = {
  id: ProtocolId;
  /** Returns the path after the provider's base address. */
  path(request: CanonicalRequest, target: EncodeTarget): string;
  encodeRequest(request: CanonicalRequest, target: EncodeTarget): EncodedRequest | Refusal;
  /**
   * Creates a decoder for one stream. It throws SyntaxError at a frame that is not part of the protocol, and
   * ignores unknown events.
   */
  streamDecoder(): (frame: Frame) => StreamEvent[];
  /**
   * Splits a whole answer into the frames that it would have been streamed as. One mapping then reads both.
   */
  splitAnswer(text: string): Frame[];
  /**
   * The frame that the decoder gets when the upstream's stream ends. Wires whose last frame is not marked as
   * the last have it.
   */
  closingFrame?: Frame;
  /** The vendor's stop reason that covers both the model's own end and a stop sequence. */
  ambiguousStop?: string;
};
