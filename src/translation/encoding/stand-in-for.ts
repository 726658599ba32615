import type { JsonObject } from '../../base/json/json-body.ts';
import { textOf } from '../../base/json/read-json.ts';
import { isObject } from '../../base/lib/is-object.ts';
import type { ProtocolId } from '../canonical/protocol-id.ts';
import { messagesTool } from './messages-tool.ts';
import { vendorTool } from './vendor-tools.ts';

/** A function that stands for a vendor's tool. `standsFor`: the type of the tool if its calls differ. */
type StandIn = { name: string; description: string; schema: object; standsFor?: string };

/** Returns the function that stands for a tool of a vendor's own. */
export function standInFor(issuer: ProtocolId, tool: JsonObject): StandIn | undefined {
  const type = textOf(tool.type) ?? '';
  if (issuer === 'messages') {
    const definition = messagesTool(type);
    const name = textOf(tool.name);
    return definition && name !== undefined ? { name, ...definition } : undefined;
  }
  const ofVendor = issuer === 'responses' && isRunByClient(tool) ? vendorTool(type) : undefined;
  if (ofVendor === undefined) return undefined;
  const { name, description, schema } = ofVendor;
  const shown = { name, description: textOf(tool.description) ?? description, standsFor: type };
  return { ...shown, schema: isObject(tool.parameters) ? tool.parameters : schema };
}

/** The vendor runs a shell in a container, a search without `execution: client`, and every program. */
function isRunByClient({ type, environment, execution }: JsonObject): boolean {
  if (type === 'program') return false;
  if (type === 'tool_search') return execution === 'client';
  return !isObject(environment) || environment.type === 'local';
}
