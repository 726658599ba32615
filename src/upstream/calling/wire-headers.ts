import type { Wire } from '../../translation/canonical/wire.ts';
import { FIRST_VERSION, VERSION_HEADER } from '../../translation/protocols/messages/protocol-version.ts';

/** The headers that a wire requires besides the key and the content type. The client may override them. */
export const wireHeaders: Partial<Record<Wire, Record<string, string>>> = {
  'anthropic-messages': { [VERSION_HEADER]: FIRST_VERSION },
};
