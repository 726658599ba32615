/** Returns the row of an embedding model with two dimensions, whose provider has the name of the wire. */
export const vectorRow = (id: string, wire: string, upstreamModel: string) => ({
  id,
  kind: 'embedding',
  plan: 'free',
  context_window: 8_192,
  output_dimensions: 2,
  pricing_usd_per_mtok: { input: 1, output: 0 },
  routes: [{ provider: `hidden-${wire}`, model: upstreamModel }],
});
