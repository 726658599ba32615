/** The groups of routes in the documentation. `src/console/docs/tags-of.ts` describes each of them. */
export type RouteGroup =
  | 'Chat'
  | 'Legacy completions'
  | 'Gemini'
  | 'Interactions'
  | 'Embeddings'
  | 'Images'
  | 'Audio'
  | 'Rerank'
  | 'Moderations'
  | 'Credits and usage'
  | 'Batches'
  | 'Stored responses'
  | 'Conversations'
  | 'Resumable streams'
  | 'Models'
  | 'Claude Code'
  | 'Operation'
  | 'Documentation'
  | AdminGroup;

/** The groups of the admin API. */
export type AdminGroup =
  | 'Admin: accounts'
  | 'Admin: API keys'
  | 'Admin: budgets'
  | 'Admin: credits'
  | 'Admin: providers'
  | 'Admin: batches'
  | 'Admin: requests'
  | 'Admin: catalog'
  | 'Admin: operation'
  | 'Admin: tokens'
  | 'Admin: people';
