import type { JsonObject } from '../../base/json/json-body.ts';
import { objectOf, textOf } from '../../base/json/read-json.ts';
import { isObject } from '../../base/lib/is-object.ts';
import type { Path } from '../../base/schema/format-path.ts';
import type { ReservedField } from '../canonical/reserved-field.ts';
import { cacheLifetime } from './cache-lifetime.ts';
import { foldName } from './fold-name.ts';
import { hostedKindOf } from './hosted-kind-of.ts';
import { inspectAddress } from './inspect-address.ts';
import { inspectFile } from './inspect-file.ts';
import type { Inspection } from './inspection.ts';
import { isKnownTool, knownParts } from './known-request-types.ts';
import type { MemberRule } from './member-rule.ts';
import { isVendorRun } from './vendor-run.ts';

/** The types of records of what a vendor's own tools did or listed. */
const recordTypes = new Set<unknown>(['server_tool_use', 'mcp_list_tools', 'mcp_tool_listing']);

const RECORD_NAME = /_call$|_tool_result$/;

const textTypes = new Set<unknown>(['text', 'input_text', 'output_text']);

/** Skips the value: a client's own data, or a vendor's record of what happened. Neither is fetched again. */
const pass: MemberRule = () => {};

const reserved =
  (field: ReservedField): MemberRule =>
  (value, inspection) => {
    if (value !== '' && !(Array.isArray(value) && value.length === 0)) inspection.reserve(field);
  };

/** Inspects a text that is an address, or an object that holds one. */
const address: MemberRule = (value, inspection) => {
  if (typeof value === 'string') inspectAddress(value, inspection);
  else inspectHolder(value, inspection);
};

/** Inspects an object whose `url` is fetched. In other objects `url` only says where something was found. */
function inspectHolder(value: unknown, inspection: Inspection): void {
  if (!isObject(value)) return;
  for (const key of Object.keys(value)) {
    if (foldName(key) !== 'url' || typeof value[key] !== 'string') continue;
    inspection.steps.push(key);
    inspectAddress(value[key], inspection);
    inspection.steps.pop();
  }
  inspectKeys(value, inspection);
}

/** A source of blocks may hold further ones. A source that is a text only says where something was found. */
const holder: MemberRule = inspectHolder;

const file: MemberRule = (value, inspection) => inspectFile(objectOf(value), 'fileUri', inspection);

/** The result of a function is the client's own, except the media next to it. */
const functionResult: MemberRule = (value, inspection) => {
  const { parts } = objectOf(value);
  if (parts === undefined) return;
  inspection.steps.push('parts');
  inspectPart(parts, inspection);
  inspection.steps.pop();
};

const container: MemberRule = (value, inspection) => {
  if (typeof value === 'string') reserved('container')(value, inspection);
  else if (isObject(value)) inspectKeys(value, inspection);
};

const sound: MemberRule = (value, inspection) => {
  if (typeof value === 'string') return inspectAddress(value, inspection);
  if (isObject(value) && typeof value.id === 'string') inspection.reserve('audio.id', 'id');
  inspectHolder(value, inspection);
};

/** A tool that is added within the conversation is removed together with the block that adds it. */
const addition: MemberRule = (value, inspection) => {
  if (!isObject(value) || !isObject(value.definition)) return;
  const path = inspection.steps.slice(0, -1);
  inspection.steps.push('definition');
  inspectTool(value.definition, inspection, path);
  inspection.steps.pop();
};

const rules: Readonly<Record<string, MemberRule>> = Object.assign(Object.create(null), {
  ...Object.fromEntries(
    // biome-ignore format: a line for each group
    [
      'type', 'role', 'text', 'name', 'data', 'thinking', 'signature', 'arguments', 'description',
      'input', 'input_schema', 'parameters', 'function', 'custom', 'tool_calls', 'function_call',
      'annotations', 'citations', 'results', 'outputs', 'logprobs', 'action', 'operation', 'metadata',
      'reasoning_details', 'extra_content', 'filters', 'format', 'functionCall', 'thoughtSignature',
    ].map((key) => [key, pass]),
  ),
  ...Object.fromEntries(
    // biome-ignore format: a line for each group
    [
      'image_url', 'video_url', 'audio_url', 'document_url', 'file_url', 'file_data',
      'image', 'video', 'document',
    ].map((key) => [key, address]),
  ),
  ...Object.fromEntries(['source', 'file', 'input_image', 'input_video'].map((key) => [key, holder])),
  audio: sound,
  fileData: file,
  functionResponse: functionResult,
  cache_control: cacheLifetime,
  caching: cacheLifetime,
  collection_ids: reserved('collection_ids'),
  container,
  container_id: reserved('container'),
  file_id: reserved('file_id'),
  file_ids: reserved('file_ids'),
  knowledge_base_ids: reserved('knowledge_base_ids'),
  knowledge_id: reserved('knowledge_id'),
  library_ids: reserved('library_ids'),
  skill_id: reserved('skills'),
  tool: addition,
  tools: inspectTools,
  vector_store_id: reserved('vector_store_ids'),
  vector_store_ids: reserved('vector_store_ids'),
});

/** An object with a role is a turn and never a record, whatever its type. */
const isRecord = ({ type, role }: JsonObject): boolean =>
  role === undefined && (recordTypes.has(type) || (typeof type === 'string' && RECORD_NAME.test(type)));

/** Inspects a turn, an item, a part of either, or a list of these. */
export function inspectPart(value: unknown, inspection: Inspection): void {
  if (Array.isArray(value)) inspectList(value, inspection);
  else if (isObject(value) && !isRecord(value)) inspectKeys(value, inspection);
}

function inspectList(list: readonly unknown[], inspection: Inspection): void {
  const { steps } = inspection;
  for (let index = 0; index < list.length; index++) {
    const element = list[index];
    if (typeof element !== 'object' || element === null) continue;
    const part = element as JsonObject; // a list within a list lacks the members that are read
    if (isPlainText(part)) continue;
    reportPart(part, inspection);
    steps.push(index);
    inspectPart(element, inspection);
    steps.pop();
  }
}

/** Reports a part whose type no official client knows. */
function reportPart({ type, role }: JsonObject, inspection: Inspection): void {
  if (role === undefined && typeof type === 'string' && !knownParts.has(type))
    inspection.reportUnknown('part', type);
}

/** Reports whether a part has only a text, as most parts of a conversation. It then needs no inspection. */
function isPlainText(part: JsonObject): boolean {
  if (!textTypes.has(part.type)) return false;
  for (const key in part) if (key !== 'type' && key !== 'text' && part[key] !== null) return false;
  return true;
}

function inspectKeys(part: JsonObject, inspection: Inspection): void {
  const { steps } = inspection;
  for (const key in part) {
    // Nearly every key is one of these, and a look-up costs as much as the rest of the loop.
    if (key === 'type' || key === 'text' || key === 'role') continue;
    const value = part[key];
    if (key === 'content' && typeof value === 'string') continue;
    const rule = key === 'content' ? undefined : (rules[key] ?? rules[foldName(key)]);
    if (rule === pass || value == null || (rule === undefined && typeof value !== 'object')) continue;
    steps.push(key);
    if (rule) rule(value, inspection);
    else inspectPart(value, inspection);
    steps.pop();
  }
}

/** Inspects a list of tools, and the lists within it. */
export function inspectTools(list: unknown, inspection: Inspection): void {
  if (!Array.isArray(list)) return;
  const { steps } = inspection;
  for (let index = 0; index < list.length; index++) {
    const tool: unknown = list[index];
    if (!isObject(tool)) continue;
    steps.push(index);
    if (tool.type === 'namespace') inspectGroup(tool, inspection);
    else inspectTool(tool, inspection);
    steps.pop();
  }
}

function inspectGroup({ tools }: JsonObject, inspection: Inspection): void {
  inspection.steps.push('tools');
  inspectTools(tools, inspection);
  inspection.steps.pop();
}

/**
 * Inspects a tool. References to objects of the vendor's account are reported even if the tool is not served.
 * `path` is the path to remove with it.
 */
function inspectTool(tool: JsonObject, inspection: Inspection, path?: Path): void {
  inspection.tools++;
  if (typeof tool.type === 'string' && !isKnownTool(tool.type)) inspection.reportUnknown('tool', tool.type);
  inspectKeys(tool, inspection);
  if (!isVendorRun(tool)) return;
  const name = textOf(tool.name) ?? textOf(objectOf(tool.function).name) ?? textOf(tool.type) ?? '';
  const at = inspection.path();
  inspection.reportVendorRun({ tool, at, path: path ?? at, name });
  const kind = hostedKindOf(tool);
  if (kind) inspection.note({ kind: 'tool', ...kind, name, path: path ?? at });
}
