import { chooseEncoding } from '../../edge/http/compressed-file.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { matchesEtag } from '../../edge/http/matches-etag.ts';
import type { Reply } from '../../edge/http/reply.ts';
import type { PreparedPage } from './prepared-page.ts';

/** Answers with a page in the encoding that the client prefers, or with 304 if the client has it. */
export async function answerPage({ request }: Exchange, page: PreparedPage, origin: string): Promise<Reply> {
  const variant = page.at(origin);
  const wanted = chooseEncoding(request.headers.get('accept-encoding'));
  const [encoding, body] = await page.bytesOf(variant, wanted);
  const etag = encoding === 'plain' ? variant.etag : variant.etag.replace(/"$/, `-${encoding}"`);
  const headers = { ...page.headers, 'cache-control': 'no-cache', vary: 'accept-encoding', etag };
  if (matchesEtag(request.headers.get('if-none-match'), etag)) return { status: 304, body: null, headers };
  const encoded = encoding === 'plain' ? {} : { 'content-encoding': encoding };
  return { status: 200, body, headers: { ...headers, ...encoded } };
}
