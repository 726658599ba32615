import { Refusal } from '../../base/errors/refusal.ts';
import type { JsonObject } from '../../base/json/json-body.ts';
import { parseObject } from '../../base/json/read-json.ts';
import { readStart } from '../../base/lib/read-start.ts';

/** Reads an answer that must be a JSON object of limited size. Throws a refusal if it is anything else. */
export async function readObject(response: Response, maxBytes: number): Promise<JsonObject> {
  try {
    const { text } = await readStart(response, maxBytes);
    return parseObject(text);
  } catch (error) {
    throw new Refusal('upstream_unavailable', { cause: error });
  }
}
