import { Authenticator } from '../../src/money/auth/authenticator.ts';
import { ChunkPattern } from '../../src/translation/protocols/openai/chunk-pattern.ts';
import { UpstreamHeads } from '../../src/upstream/calling/upstream-heads.ts';
import { wrap } from '../faults/wrap-method.ts';

// Loaded before the program: each request finds its principal and the heads of its calls anew, and reads each
// chunk of a stream, as if nothing had been recorded.

wrap(
  Authenticator,
  'authenticate',
  (original) =>
    function (...request) {
      this.forgetAll();
      return original.apply(this, request);
    },
);
wrap(
  UpstreamHeads,
  'of',
  (original) =>
    (...call) =>
      original.apply(new UpstreamHeads(), call),
);
wrap(ChunkPattern, 'textIn', () => () => undefined);
