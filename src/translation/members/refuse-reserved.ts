import { Refusal } from '../../base/errors/refusal.ts';
import { unqualifiedParam } from '../../base/errors/unqualified-param.ts';
import { formatPath, type Path } from '../../base/schema/format-path.ts';
import { MEDIA_URLS, type ReservedField } from '../canonical/reserved-field.ts';

/**
 * Refuses a reserved field. The message says what the client can do, and does not mention the provider's
 * consent.
 */
export function refuseReserved({ field, path }: { field: ReservedField; path: Path }): Refusal {
  const param = formatPath(path);
  return field === MEDIA_URLS
    ? new Refusal('invalid_request', {
        param,
        message: `${param}: the chosen model does not accept media by URL; send base64 data`,
      })
    : unqualifiedParam(param, "the gateway does not pass this on to the chosen model's provider");
}
