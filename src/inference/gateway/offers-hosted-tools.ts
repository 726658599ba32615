import { listOf, objectOf } from '../../base/json/read-json.ts';
import { isVendorRun, vendorRunMembers } from '../../translation/protocols/members/vendor-run.ts';

/** Reports whether a request, in any dialect, offers the model tools that its vendor runs. */
export const offersHostedTools = (body: Readonly<Record<string, unknown>>): boolean =>
  vendorRunMembers.some((name) => body[name] != null) ||
  listOf(body['tools']).some((tool) => isVendorRun(objectOf(tool)));
