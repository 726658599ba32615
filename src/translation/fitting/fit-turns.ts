import { Refusal } from '../../base/errors/refusal.ts';
import { unqualifiedParam } from '../../base/errors/unqualified-param.ts';
import type { JsonObject } from '../../base/json/json-body.ts';
import { objectOf, textOf } from '../../base/json/read-json.ts';
import { lookUp } from '../../base/lib/records.ts';
import type { Part } from '../canonical/part.ts';
import type { ProtocolId } from '../canonical/protocol-id.ts';
import type { ToolChoice, Turn } from '../canonical/request.ts';
import { RECAP_ORDER, recapText } from '../encoding/recap.ts';
import { type VendorTool, vendorToolOf } from '../encoding/vendor-tools.ts';
import { changesTool } from './change-tools.ts';

type Role = Turn['role'];
/** A part, and the role of its turn. */
type PlacedPart = { role: Role; part: Part };
/** Fits an item. The result is undefined if the item keeps its place, and the wire reports its loss. */
type FitItem = (item: JsonObject, nameOf: (name: string) => string) => PlacedPart[] | Refusal | undefined;

/** The turns for another wire, and the fields of a request that asks for a summary of the conversation. */
type FittedTurns = { turns: Turn[]; compacts?: true; toolChoice?: ToolChoice };

/** The fields of a request whose answer is a summary of the conversation. */
const COMPACTION: { compacts: true; toolChoice: ToolChoice } = {
  compacts: true,
  toolChoice: { kind: 'none' },
};

/** Rewrites the vendor's own items of a conversation for a wire of another protocol. */
export function fitTurns(
  turns: readonly Turn[],
  wire: ProtocolId,
  nameOf: (name: string) => string,
): FittedTurns | Refusal {
  const fitted: Turn[] = [];
  let compacts = false;
  for (const { role, parts } of turns) {
    for (const part of parts) {
      const isForeign = part.kind === 'opaque' && part.issuer !== wire;
      const item = isForeign ? objectOf(part.block) : undefined;
      compacts ||= item?.type === 'compaction_trigger';
      const placed = item && fitItem(item, nameOf);
      if (placed instanceof Refusal) return placed;
      for (const each of placed ?? [{ role, part }]) add(fitted, each, part === parts[0]);
    }
  }
  return { turns: fitted, ...(compacts && COMPACTION) };
}

/** Adds a part to the last turn if the roles agree. Each turn of role `system` stays by itself. */
function add(turns: Turn[], { role, part }: PlacedPart, isFirst: boolean): void {
  const last = turns.at(-1);
  if (last?.role === role && !(isFirst && role === 'system')) last.parts.push(part);
  else turns.push({ role, parts: [part] });
}

const fitItem: FitItem = (item, nameOf) => {
  const type = textOf(item.type) ?? '';
  const fit = lookUp(fitters, type);
  if (fit) return fit(item, nameOf);
  const tool = vendorToolOf(type);
  return tool && fitCall(item, tool, nameOf);
};

const textTurn = (role: Role, text: string): PlacedPart[] => [{ role, part: { kind: 'text', text } }];

const fitters: Readonly<Record<string, FitItem>> = {
  /** An item whose tools are among the request's. */
  additional_tools: () => [],
  tool_addition: (block) => (changesTool(block) ? [] : undefined),
  tool_removal: (block) => (changesTool(block) ? [] : undefined),
  /** A result whose call only the vendor tracks. Other results have been decoded. */
  function_call_output: () =>
    unqualifiedParam(
      'input',
      "a result without call_id needs the call's own provider, which does not serve the chosen model",
    ),
  compaction_trigger: () => textTurn('user', RECAP_ORDER),
  compaction({ encrypted_content, content }) {
    const summary = textOf(content);
    if (summary !== undefined) return textTurn('user', recapText(summary));
    if (textOf(encrypted_content) === undefined) return []; // the vendor could not compact
    return unqualifiedParam(
      'input',
      'only the provider that compacted this conversation can read it, and it does not serve the chosen model',
    );
  },
};

/**
 * Turns a vendor's call or result into the call or result of a function. A search that the vendor ran has no
 * id and is dropped.
 */
function fitCall(item: JsonObject, tool: VendorTool, nameOf: (name: string) => string): PlacedPart[] {
  const callId = textOf(item.call_id) ?? (tool.name === 'tool_search' ? undefined : textOf(item.id));
  if (callId === undefined) return [];
  if (item.type === tool.call) {
    const input = { kind: 'json' as const, text: JSON.stringify(tool.input(item)) };
    return [{ role: 'assistant', part: { kind: 'tool-call', callId, name: nameOf(tool.name), input } }];
  }
  const content = [{ kind: 'text' as const, text: tool.result(item) }];
  const isError = tool.failed?.(item) === true;
  return [{ role: 'user', part: { kind: 'tool-result', callId, content, ...(isError && { isError }) } }];
}
