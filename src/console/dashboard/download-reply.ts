import type { Reply, ReplyBody } from '../../edge/http/reply.ts';

/** A file that a browser saves. `name` has no characters that a header must escape. */
export type Download = { body: ReplyBody; type: string; name: string };

/** Returns the reply with which a browser saves a file. */
export const downloadReply = ({ body, type, name }: Download): Reply => ({
  status: 200,
  body,
  headers: { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` },
});
