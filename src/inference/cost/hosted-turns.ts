import type { Dialect } from '../../translation/contract/dialect.ts';
import { vendorRunMembers } from '../../translation/members/vendor-run.ts';

/** The most turns of a request whose hosted tools have no higher limits. */
const USUAL_TURNS = 32;

type RequestBody = Parameters<Dialect['inspect']>[0];

/**
 * Returns the most turns of one answer. The vendor reads the prompt again after each call of a hosted tool,
 * wherever the request offers the tool, and counts it each time.
 */
export function hostedTurns(body: RequestBody, { inspect }: Pick<Dialect, 'inspect'>): number {
  const { vendorRun = [] } = inspect(body);
  if (vendorRun.length === 0 && vendorRunMembers.every((name) => body[name] == null)) return 1;
  const limits = [body['max_tool_calls'], ...vendorRun.map(({ tool }) => tool['max_uses'])];
  const calls = limits.reduce<number>((sum, limit) => sum + (typeof limit === 'number' ? limit : 0), 0);
  return Math.max(USUAL_TURNS, calls + 1);
}
