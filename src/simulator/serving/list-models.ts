/** Any name is served; these are there for clients that ask before they call. */
const NAMES = ['simulated-small', 'simulated-large', 'simulated-embedding'];
const CREATED_SECONDS = 1_750_000_000;

export const listModels = () => ({
  object: 'list',
  data: NAMES.map((id) => ({ id, object: 'model', created: CREATED_SECONDS, owned_by: 'simulator' })),
});
