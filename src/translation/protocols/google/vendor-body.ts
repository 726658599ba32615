import type { JsonBody, JsonObject } from '../../../base/json/json-body.ts';
import { membersOf, patchKnown, patchPart } from '../../../base/json/patch-json.ts';
import { CEILING } from './addressed-body.ts';
import { configOf } from './decode-generation.ts';

/** New texts of members of the configuration. Null removes a member. */
export type ConfigPatch = Readonly<Record<string, string | null>>;

/** The members of the body that stand for the address and the configuration. */
const ADDED = { model: null, stream: null, [CEILING]: null };

const CONFIG = 'generationConfig';

/** Returns the body as the vendor takes it. The client's own text is returned if nothing has changed it. */
export function vendorBody(body: JsonBody, patch: ConfigPatch): string {
  const { text, value, sent } = body;
  const changes = { ...ceilingChange(value), ...patch };
  if (Object.keys(changes).length === 0) return sent ?? patchKnown(text, value, ADDED);
  const place = value[CONFIG] == null ? undefined : membersOf(text).get(CONFIG);
  const config = patchPart(place ? text.slice(place.start, place.end) : '{}', changes);
  return patchKnown(text, value, { ...ADDED, [CONFIG]: config });
}

/** Returns the change of the configuration's ceiling, if the gateway has set another one. */
function ceilingChange(value: JsonObject): ConfigPatch {
  const ceiling = value[CEILING];
  const isUnchanged = ceiling === (configOf(value)[CEILING] ?? undefined);
  return isUnchanged ? {} : { [CEILING]: String(ceiling) };
}
