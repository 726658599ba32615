/** A request to a batch endpoint. The path has no version. */
export type BatchCall = { request: Request; path: string };

/** The services that the batch APIs use. */
export type SimulatedBatchParts = {
  nowSeconds(): number;
  /** Answers a request of a batch like a request of its own. */
  answer(request: Request): Promise<Response>;
  newId(prefix: string): string;
};

/** Answers calls of a vendor's batch API. Returns undefined if the path belongs to no batch endpoint. */
export type BatchEndpoints = (call: BatchCall) => Promise<Response | undefined>;

/** Makes the request of an item, with the credentials of the batch. Batches have no streams. */
export function itemRequest({ request }: BatchCall, path: string, body: unknown): Request {
  const headers = new Headers(request.headers);
  for (const name of ['content-length', 'content-encoding', 'transfer-encoding']) headers.delete(name);
  headers.set('content-type', 'application/json');
  const whole = { ...(body as object), stream: false };
  return new Request(new URL(path, request.url).href, {
    method: 'POST',
    headers,
    body: JSON.stringify(whole),
  });
}

export async function readJson(request: Request): Promise<Record<string, unknown>> {
  const value: unknown = await request.json().catch(() => undefined);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
