import { parseObject } from '../../../base/json/read-json.ts';
import { END_OF_BODY, type Frame } from '../../contract/frame.ts';
import type { WireCodec } from '../../contract/wire-codec.ts';
import { createStreamDecoder } from './create-stream-decoder.ts';
import { encodeRequest } from './encode-request.ts';
import { PROTOCOL } from './protocol.ts';

/** Checks that the text is an object, and returns it as a chunk, since a whole completion has that form. */
function splitAnswer(text: string): Frame[] {
  parseObject(text);
  return [{ data: text }, { data: '[DONE]' }];
}

/** The wire of legacy completions, for models that only continue a text. */
export const completionsWire: WireCodec = {
  id: PROTOCOL,
  path: () => '/completions',
  encodeRequest,
  streamDecoder: createStreamDecoder,
  splitAnswer,
  closingFrame: END_OF_BODY,
  ambiguousStop: 'stop',
};
