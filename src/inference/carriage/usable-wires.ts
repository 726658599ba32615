import type { Target } from '../../settings/hosts/target.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import { hasTools } from '../../translation/fitting/has-tools.ts';
import type { CarriedRequest } from './carried-request.ts';

/** Returns the wires of a target. Some models accept tools on every wire except chat completions. */
export function usableWires({ request }: CarriedRequest, { wires, refuses }: Target): readonly Wire[] {
  if (!refuses?.has('tools_on_chat') || !hasTools(request.body.value)) return wires;
  return wires.filter((wire) => wire !== 'openai-chat');
}
