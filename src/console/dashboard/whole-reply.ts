import { Type } from '../../base/schema/type.ts';
import type { Reply } from '../../edge/http/reply.ts';

/** The answer of a route whose handler makes the whole reply, such as a file, a page or a stream. */
export const wholeReply = Type.Unsafe<Reply>(Type.Unknown());
