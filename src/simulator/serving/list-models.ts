/** The listed models, for clients that list models first. The simulator serves any model name. */
// biome-ignore format: a line for each group
const NAMES = [
  'simulated-small', 'simulated-large', 'simulated-embedding', 'simulated-image', 'simulated-speech',
  'simulated-transcription', 'simulated-moderation', 'simulated-rerank',
];
const CREATED_SECONDS = 1_750_000_000;

export const listModels = () => ({
  object: 'list',
  data: NAMES.map((id) => ({ id, object: 'model', created: CREATED_SECONDS, owned_by: 'simulator' })),
});
