import type { TSchema } from 'typebox';

const answers = async () => (await import('../../console/admin/admin-answers.ts')).adminAnswers;
const ledger = async () => (await import('../../console/admin/ledger-descriptions.ts')).ledgerDescriptions;

/** The schemas of the admin API's lists, which name the columns of an empty list. They are loaded for such a list alone. */
export const listSchemas = {
  accounts: async () => (await answers()).accounts,
  keys: async () => (await answers()).keys,
  providers: async () => (await answers()).providers,
  models: async () => (await answers()).models,
  batches: async () => (await answers()).batches,
  audit: async () => (await answers()).audit,
  entries: async () => (await ledger()).list.answerSchema,
  usage: async () => (await ledger()).usage.answerSchema,
  alerts: async () =>
    (await import('../../console/admin/alert-descriptions.ts')).alertDescriptions.list.answerSchema,
  requests: async () =>
    (await import('../../console/admin/request-descriptions.ts')).requestDescriptions.list.answerSchema,
  tokens: async () =>
    (await import('../../console/admin/token-descriptions.ts')).tokenDescriptions.listTokens.answerSchema,
  nodes: async () => (await import('../../console/admin/node-routes.ts')).nodeList,
  refusals: async () => (await import('../../console/admin/refusal-routes.ts')).refusalList,
  queue: async () => (await import('../../console/admin/queue-routes.ts')).queueList,
} satisfies Record<string, () => Promise<TSchema>>;

export type ListName = keyof typeof listSchemas;

type Node = { properties?: Record<string, Node>; anyOf?: Node[]; items?: Node };

/** Returns the names of all fields of a list's items, nested ones with a dot. */
export async function listFields(name: ListName): Promise<string[]> {
  const { data } = ((await listSchemas[name]()) as Node).properties!;
  return fieldsOf(data!.items!, '');
}

function fieldsOf(node: Node, path: string): string[] {
  const { properties } = [node, ...(node.anyOf ?? [])].find((one) => one.properties) ?? {};
  if (!properties) return [path];
  return Object.entries(properties).flatMap(([name, member]) =>
    fieldsOf(member, path === '' ? name : `${path}.${name}`),
  );
}
