import { listOf, objectOf, textOf } from '../../base/json/read-json.ts';

/** Matches the types of tools that the client runs, in the words of all dialects, some with a date suffix. */
const CLIENTS_OWN =
  /^(function|custom|namespace|(local_)?shell|apply_patch|bash|text_editor|computer|memory)(_use_preview|_\d{8})?$/;

/** Members that enable the vendor's own tools without a list of tools. */
const HOSTED_MEMBERS = ['web_search_options', 'mcp_servers', 'plugins'];

/** Reports whether a request, in any dialect, offers the model tools that its vendor runs. */
export function offersHostedTools(body: Readonly<Record<string, unknown>>): boolean {
  if (HOSTED_MEMBERS.some((name) => body[name] != null)) return true;
  return listOf(body['tools']).some((tool) => {
    const type = textOf(objectOf(tool)['type']);
    return type !== undefined && !CLIENTS_OWN.test(type);
  });
}
