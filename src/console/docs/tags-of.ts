import { groupsOf, type Operation, type OperationGroup } from './operation.ts';

const descriptions: Readonly<Record<OperationGroup, string>> = {
  Chat: 'Answers to conversations, in three dialects.',
  'Legacy completions': 'Completions of plain prompts.',
  Gemini: "The endpoints of Google's Gemini API.",
  Interactions: "Answers in Google's Interactions API, and stored interactions.",
  Embeddings: 'Vectors of texts.',
  Images: 'New and changed images.',
  Audio: 'Speech from texts, and texts from speech.',
  Rerank: 'Documents in the order of their relevance.',
  Moderations: 'Judgements of texts and images.',
  'Credits and usage': 'Balances, usage, receipts and estimates of costs.',
  Batches: 'Many requests in the background, in two dialects.',
  'Stored responses': 'Responses that were created with `store: true`.',
  Conversations: 'Conversations whose items are kept, and which responses continue.',
  'Resumable streams': 'Streams that are read again from where they broke.',
  Models: 'The catalog of models.',
  'Claude Code': 'What Claude Code calls in addition: sign-in, managed settings and telemetry.',
  Operation: 'Probes and metrics.',
  'Admin: accounts': 'Accounts and their plans.',
  'Admin: API keys': 'The API keys of accounts.',
  'Admin: budgets': 'Budgets, and what counts against them.',
  'Admin: credits': 'Credits, purchases and the ledger.',
  'Admin: providers': 'Providers with their health and load.',
  'Admin: batches': 'The batches of all accounts.',
  'Admin: requests': 'Records of requests, and their content where it is kept.',
  'Admin: catalog': 'Models with their routes, and plans.',
  'Admin: operation': 'Configuration, alerts, nodes and the audit log.',
  'Admin: tokens': 'Admin tokens and their roles.',
  'Admin: people': 'People of the dashboard, memberships and invitations.',
  Documentation: 'This documentation.',
  Other: 'Operations without a group.',
};

/** Returns the groups of the given operations as tags of OpenAPI. */
export const tagsOf = (operations: readonly Operation[]) =>
  [...groupsOf(operations).keys()].map((name) => ({ name, description: descriptions[name] }));
