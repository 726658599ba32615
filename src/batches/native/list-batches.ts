import { Refusal } from '../../base/errors/refusal.ts';
import { readStart } from '../../base/lib/read-start.ts';
import { callProvider, type ProviderCall } from './call-provider.ts';

const PAGE = 100;
/** A provider lists its latest batches first, so that a recent one is on an early page. */
const MAX_PAGES = 20;
/** A page of batches without their requests. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

type Page = { data?: unknown; has_more?: unknown; last_id?: unknown };
export type ListedObject = Record<string, unknown> & { id: string };

/**
 * Yields the batches of a provider, the latest first, with the time on the provider's clock.
 * `cursor` is the vendor's name of it.
 */
export async function* listBatches(
  call: Pick<ProviderCall, 'provider' | 'wire' | 'path'> & { cursor: string },
): AsyncGenerator<{ listed: ListedObject; nowMs: number }> {
  const { cursor, path, ...about } = call;
  let after = '';
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const response = await callProvider({ ...about, path: `${path}?limit=${PAGE}${after}` });
    const nowMs = Date.parse(response.headers.get('date') ?? '');
    const page = await readPage(response);
    const batches = Array.isArray(page.data) ? page.data.filter(isListed) : [];
    for (const listed of batches) yield { listed, nowMs };
    const last = typeof page.last_id === 'string' ? page.last_id : batches.at(-1)?.id;
    if (page.has_more !== true || last === undefined) return;
    after = `&${cursor}=${encodeURIComponent(last)}`;
  }
}

async function readPage(response: Response): Promise<Page> {
  try {
    const { text } = await readStart(response, MAX_PAGE_BYTES);
    return Object(JSON.parse(text)) as Page;
  } catch (error) {
    throw new Refusal('upstream_unavailable', { cause: error });
  }
}

const isListed = (value: unknown): value is ListedObject => typeof Object(value).id === 'string';
